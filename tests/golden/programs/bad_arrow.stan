// RUN: --strict %s
// WHY: the assignment arrow of old
model {
  real a;
  a <- 2;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_arrow.stan', line 5, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real a;
//|      5:    a <- 2;
//|                  ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment. The assignment operator "<-" was removed; write "=".
