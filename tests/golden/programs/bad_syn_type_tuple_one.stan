// RUN: %s
// WHY: a tuple of one slot needs its comma
data {
  tuple(real) x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_tuple_one.stan', line 4, column 12 to column 13, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a tuple of one slot needs its comma
//|      3:  data {
//|      4:    tuple(real) x;
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. Expected "," after the first type of a tuple; a tuple of one slot is written "tuple(real,)". Found ")".
