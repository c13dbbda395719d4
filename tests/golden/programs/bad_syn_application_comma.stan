// RUN: %s
// WHY: arguments without a comma
model {
  print(pow(1 2));
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_application_comma.stan', line 4, column 14 to column 15, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: arguments without a comma
//|      3:  model {
//|      4:    print(pow(1 2));
//|                        ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function application. Expected ",", "|" or ")" after the first argument. Found integer literal "2". An operator or a "," may be missing between "1" and "2".
