// RUN: %s
// WHY: complex with a size
data {
  complex[2] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_complex_size.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: complex with a size
//|      3:  data {
//|      4:    complex[2] x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. complex takes no size. (For an array write "array[...] complex", or use complex_vector.)
