// RUN: %s
// WHY: the elements of a vector have no type of their own
data {
  int N;
  vector[N] int y;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_vector_of_int.stan', line 5, column 12 to column 15, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int N;
//|      5:    vector[N] int y;
//|                      ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "int" is a reserved keyword and cannot be used as a name. The elements of "vector" are reals; an array of ints is written "array[N] int y".
