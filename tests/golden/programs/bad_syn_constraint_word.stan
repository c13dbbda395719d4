// RUN: %s
// WHY: an unknown constraint
data {
  real<min=0> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_constraint_word.stan', line 4, column 7 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an unknown constraint
//|      3:  data {
//|      4:    real<min=0> x;
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "lower", "upper", "offset" or "multiplier". Found identifier "min".
