// RUN: %s
// WHY: data before it is declared
data {
  array[N] real x;
  int N;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_sd_data.stan', line 4, column 8 to column 9:
//|    -------------------------------------------------
//|      2:  // WHY: data before it is declared
//|      3:  data {
//|      4:    array[N] real x;
//|                  ^
//|      5:    int N;
//|      6:  }
//|    -------------------------------------------------
//|
//| Identifier 'N' not in scope. It is declared later, in the data block; a variable must be declared before it is used.
