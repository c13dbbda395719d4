// RUN: %s
// WHY: a call with brackets that do not match
model {
  print(exp(1]);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_bracket_mix.stan', line 4, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a call with brackets that do not match
//|      3:  model {
//|      4:    print(exp(1]);
//|                       ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function application. Expected ",", "|" or ")" after the first argument. Found "]".
