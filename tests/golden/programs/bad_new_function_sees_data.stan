// RUN: %s
// WHY: a function that uses data
functions {
  real f() {
    return N;
  }
}
data {
  int N;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_function_sees_data.stan', line 5, column 11 to column 12:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    real f() {
//|      5:      return N;
//|                     ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Identifier 'N' not in scope. Functions do not see the variables of the program: make it an argument.
