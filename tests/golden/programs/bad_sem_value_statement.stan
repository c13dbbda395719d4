// RUN: %s
// WHY: a value that is thrown away
transformed data {
  sqrt(2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_value_statement.stan', line 4, column 2 to column 10:
//|    -------------------------------------------------
//|      2:  // WHY: a value that is thrown away
//|      3:  transformed data {
//|      4:    sqrt(2);
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Function 'sqrt' returns a value, so its call is no statement. Assign the value to a variable.
