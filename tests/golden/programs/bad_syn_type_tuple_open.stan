// RUN: %s
// WHY: a tuple without parentheses
data {
  tuple real x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_type_tuple_open.stan', line 4, column 8 to column 12, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a tuple without parentheses
//|      3:  data {
//|      4:    tuple real x;
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed type. Expected "(" and the types of the slots after "tuple". Found "real".
