// RUN: %s
// WHY: a format string and a percent sign
model {
  print("a" % 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_print_c.stan', line 4, column 12 to column 13, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a format string and a percent sign
//|      3:  model {
//|      4:    print("a" % 1);
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "," or ")" after an item. Found "%".
