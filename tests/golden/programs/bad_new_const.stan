// RUN: %s
// WHY: const before a declaration
data {
  const int N;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_const.stan', line 4, column 2 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: const before a declaration
//|      3:  data {
//|      4:    const int N;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. There is no "const": what the data block declares never changes.
