// RUN: %s
// WHY: the distribution on the left
data {
  real y;
}
model {
  normal(0, 1) ~ y;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_wrong_side.stan', line 7, column 18 to column 19, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    normal(0, 1) ~ y;
//|                            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. The distribution stands on the right side: write "y ~ normal(...)".
