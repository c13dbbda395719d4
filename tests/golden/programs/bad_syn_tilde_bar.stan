// RUN: %s
// WHY: a bar after ~
parameters {
  real y;
}
model {
  y ~ normal(0 | 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_tilde_bar.stan', line 7, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal(0 | 1);
//|                         ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected "," or ")" after an argument. Found "|".
