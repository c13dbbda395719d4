// RUN: %s
// WHY: a simplex with a bound
data {
  simplex<lower=0>[3] x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_simplex_bound.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a simplex with a bound
//|      3:  data {
//|      4:    simplex<lower=0>[3] x;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. "[" expression "]" expected for simplex size; this type takes no bounds. Found "<".
