// RUN: --strict %s
// WHY: the array syntax of old is answered with the declaration of today
data {
  int N;
  vector[2] x[N + 1, 3];
}
//|exit 1
//|stderr
//| Syntax error in 'bad_old_array.stan', line 5, column 14 to column 15, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int N;
//|      5:    vector[2] x[N + 1, 3];
//|                        ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. ";" expected after the variable name. Array sizes stand before the element type now; write
//|     array[N + 1, 3] vector[2] x;
