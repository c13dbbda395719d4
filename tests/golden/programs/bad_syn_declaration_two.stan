// RUN: %s
// WHY: two names without a comma
model {
  real a b;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_two.stan', line 4, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: two names without a comma
//|      3:  model {
//|      4:    real a b;
//|                   ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected "=", "," or ";" after a declared variable. Found identifier "b".
