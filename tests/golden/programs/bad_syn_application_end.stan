// RUN: %s
// WHY: an argument list that ends with a comma
model {
  print(pow(1, ));
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_application_end.stan', line 4, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an argument list that ends with a comma
//|      3:  model {
//|      4:    print(pow(1, ));
//|                         ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed function application. Expected an argument after ",". Found ")".
