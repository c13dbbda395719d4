// RUN: %s
// WHY: a distribution without arguments
parameters {
  real y;
}
model {
  y ~ std_normal;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_tilde_parentheses.stan', line 7, column 16 to column 17, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ std_normal;
//|                          ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed "~" statement. Expected "(" and the distribution's arguments. Found ";".
