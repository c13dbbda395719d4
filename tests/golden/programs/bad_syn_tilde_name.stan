// RUN: %s
// WHY: a number after ~
parameters {
  real y;
}
model {
  y ~ 3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_tilde_name.stan', line 7, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ 3;
//|                ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected the name of a distribution. Found integer literal "3".
