// RUN: --all-errors %s
// WHY: a type after another one; the hint writes the declaration that was meant
functions {
  real f(array[] vector int y) {
    return 1;
  }
}
data {
  int N;
  vector<lower=0>[N] int y;
  vector int y;
  matrix[2, 2] real m;
  row_vector[3] int r;
  simplex[3] real v;
  vector[N] array[2] int y;
  int<lower=0> vector[N] y;
  real matrix[2, N] y;
  vector[N] complex z;
  complex_vector[3] real z;
  vector[N] matrix[2, 2] y;
  vector[3] array[N] y;
  array[3] vector<offset=1>[N] int y;
  int real y;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_element_types.stan', line 4, column 24 to column 27, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a type after another one; the hint writes the declaration that was meant
//|      3:  functions {
//|      4:    real f(array[] vector int y) {
//|                                  ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Ill-formed function argument. "int" is a reserved keyword and cannot be used as a name. The elements of "vector" are reals; an array of ints is written "array[,] int y".
//| Syntax error in 'bad_all_element_types.stan', line 10, column 21 to column 24, parsing error:
//|    -------------------------------------------------
//|      8:  data {
//|      9:    int N;
//|     10:    vector<lower=0>[N] int y;
//|                               ^
//|     11:    vector int y;
//|     12:    matrix[2, 2] real m;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "int" is a reserved keyword and cannot be used as a name. The elements of "vector" are reals; an array of ints is written "array[N] int<lower=0> y".
//| Syntax error in 'bad_all_element_types.stan', line 11, column 9 to column 12, parsing error:
//|    -------------------------------------------------
//|      9:    int N;
//|     10:    vector<lower=0>[N] int y;
//|     11:    vector int y;
//|                   ^
//|     12:    matrix[2, 2] real m;
//|     13:    row_vector[3] int r;
//|    -------------------------------------------------
//|
//| Ill-formed type. "[" expression "]" expected for vector size. Found "int". The elements of "vector" are reals; an array of ints is written "array[N] int y".
//| Syntax error in 'bad_all_element_types.stan', line 12, column 15 to column 19, parsing error:
//|    -------------------------------------------------
//|     10:    vector<lower=0>[N] int y;
//|     11:    vector int y;
//|     12:    matrix[2, 2] real m;
//|                         ^
//|     13:    row_vector[3] int r;
//|     14:    simplex[3] real v;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "real" is a reserved keyword and cannot be used as a name. The elements of "matrix" are reals already; write "matrix[2, 2] m".
//| Syntax error in 'bad_all_element_types.stan', line 13, column 16 to column 19, parsing error:
//|    -------------------------------------------------
//|     11:    vector int y;
//|     12:    matrix[2, 2] real m;
//|     13:    row_vector[3] int r;
//|                          ^
//|     14:    simplex[3] real v;
//|     15:    vector[N] array[2] int y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "int" is a reserved keyword and cannot be used as a name. The elements of "row_vector" are reals; an array of ints is written "array[3] int r".
//| Syntax error in 'bad_all_element_types.stan', line 14, column 13 to column 17, parsing error:
//|    -------------------------------------------------
//|     12:    matrix[2, 2] real m;
//|     13:    row_vector[3] int r;
//|     14:    simplex[3] real v;
//|                       ^
//|     15:    vector[N] array[2] int y;
//|     16:    int<lower=0> vector[N] y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "real" is a reserved keyword and cannot be used as a name. The elements of "simplex" are reals already; write "simplex[3] v".
//| Syntax error in 'bad_all_element_types.stan', line 15, column 12 to column 17, parsing error:
//|    -------------------------------------------------
//|     13:    row_vector[3] int r;
//|     14:    simplex[3] real v;
//|     15:    vector[N] array[2] int y;
//|                      ^
//|     16:    int<lower=0> vector[N] y;
//|     17:    real matrix[2, N] y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "array" is a reserved keyword and cannot be used as a name. The elements of "vector" are reals; an array of ints is written "array[N, 2] int y".
//| Syntax error in 'bad_all_element_types.stan', line 16, column 15 to column 21, parsing error:
//|    -------------------------------------------------
//|     14:    simplex[3] real v;
//|     15:    vector[N] array[2] int y;
//|     16:    int<lower=0> vector[N] y;
//|                         ^
//|     17:    real matrix[2, N] y;
//|     18:    vector[N] complex z;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "vector" is a reserved keyword and cannot be used as a name. The elements of "vector" are reals; an array of ints is written "array[N] int<lower=0> y".
//| Syntax error in 'bad_all_element_types.stan', line 17, column 7 to column 13, parsing error:
//|    -------------------------------------------------
//|     15:    vector[N] array[2] int y;
//|     16:    int<lower=0> vector[N] y;
//|     17:    real matrix[2, N] y;
//|                 ^
//|     18:    vector[N] complex z;
//|     19:    complex_vector[3] real z;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "matrix" is a reserved keyword and cannot be used as a name. The elements of "matrix" are reals already; write "matrix[2, N] y".
//| Syntax error in 'bad_all_element_types.stan', line 18, column 12 to column 19, parsing error:
//|    -------------------------------------------------
//|     16:    int<lower=0> vector[N] y;
//|     17:    real matrix[2, N] y;
//|     18:    vector[N] complex z;
//|                      ^
//|     19:    complex_vector[3] real z;
//|     20:    vector[N] matrix[2, 2] y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "complex" is a reserved keyword and cannot be used as a name. A container of complex numbers is written "complex_vector[N] z".
//| Syntax error in 'bad_all_element_types.stan', line 19, column 20 to column 24, parsing error:
//|    -------------------------------------------------
//|     17:    real matrix[2, N] y;
//|     18:    vector[N] complex z;
//|     19:    complex_vector[3] real z;
//|                              ^
//|     20:    vector[N] matrix[2, 2] y;
//|     21:    vector[3] array[N] y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "real" is a reserved keyword and cannot be used as a name. A container of reals is written "vector[3] z".
//| Syntax error in 'bad_all_element_types.stan', line 20, column 12 to column 18, parsing error:
//|    -------------------------------------------------
//|     18:    vector[N] complex z;
//|     19:    complex_vector[3] real z;
//|     20:    vector[N] matrix[2, 2] y;
//|                      ^
//|     21:    vector[3] array[N] y;
//|     22:    array[3] vector<offset=1>[N] int y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "matrix" is a reserved keyword and cannot be used as a name. An array of containers is written "array[N] matrix[2, 2] y".
//| Syntax error in 'bad_all_element_types.stan', line 21, column 12 to column 17, parsing error:
//|    -------------------------------------------------
//|     19:    complex_vector[3] real z;
//|     20:    vector[N] matrix[2, 2] y;
//|     21:    vector[3] array[N] y;
//|                      ^
//|     22:    array[3] vector<offset=1>[N] int y;
//|     23:    int real y;
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "array" is a reserved keyword and cannot be used as a name. An array is written "array[N] vector[3] y".
//| Syntax error in 'bad_all_element_types.stan', line 22, column 31 to column 34, parsing error:
//|    -------------------------------------------------
//|     20:    vector[N] matrix[2, 2] y;
//|     21:    vector[3] array[N] y;
//|     22:    array[3] vector<offset=1>[N] int y;
//|                                         ^
//|     23:    int real y;
//|     24:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "int" is a reserved keyword and cannot be used as a name. The elements of "vector" are reals; an array of ints is written "array[3, N] int y".
//| Syntax error in 'bad_all_element_types.stan', line 23, column 6 to column 10, parsing error:
//|    -------------------------------------------------
//|     21:    vector[3] array[N] y;
//|     22:    array[3] vector<offset=1>[N] int y;
//|     23:    int real y;
//|                ^
//|     24:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. "real" is a reserved keyword and cannot be used as a name.
