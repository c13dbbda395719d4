// RUN: %s
// WHY: items of print without a comma
transformed data {
  real a = 1;
  print("a = " a);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_print_comma.stan', line 5, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    real a = 1;
//|      5:    print("a = " a);
//|                         ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "," or ")" after an item. Found identifier "a". A "," may be missing between the two.
