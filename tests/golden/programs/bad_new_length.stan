// RUN: %s
// WHY: a function of another language
transformed data {
  int a = length({1, 2});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_length.stan', line 4, column 10 to column 24:
//|    -------------------------------------------------
//|      2:  // WHY: a function of another language
//|      3:  transformed data {
//|      4:    int a = length({1, 2});
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'length' does not exist. Use 'size'.
