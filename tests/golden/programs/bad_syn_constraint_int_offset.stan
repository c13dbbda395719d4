// RUN: %s
// WHY: ints have no offset
data {
  int<offset=1> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_constraint_int_offset.stan', line 4, column 6 to column 12, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: ints have no offset
//|      3:  data {
//|      4:    int<offset=1> x;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "lower" or "upper". Found "offset".
