// RUN: --strict %s
// WHY: the assignment of old
model {
  real a;
  a <- 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_arrow.stan', line 5, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    a <- 1;
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment. The assignment operator "<-" was removed; write "=".
