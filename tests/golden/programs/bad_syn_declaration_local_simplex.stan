// RUN: %s
// WHY: a constrained local variable
model {
  simplex[3] a;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_declaration_local_simplex.stan', line 4, column 2 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a constrained local variable
//|      3:  model {
//|      4:    simplex[3] a;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Constrained types such as "simplex" are not allowed for local variables. Constraints need a block's top level.
