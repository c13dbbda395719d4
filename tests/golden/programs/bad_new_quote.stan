// RUN: %s
// WHY: strings in single quotes
model {
  print('hello');
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_quote.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: strings in single quotes
//|      3:  model {
//|      4:    print('hello');
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found "'". Strings stand between double quotes.
