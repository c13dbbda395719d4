// RUN: %s
// WHY: data are read, not assigned where they are declared
data {
  int n = 3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_data_assign.stan', line 4, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: data are read, not assigned where they are declared
//|      3:  data {
//|      4:    int n = 3;
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Variables of the data and parameters blocks cannot be given a value where they are declared.
