// RUN: --all-errors %s
// WHY: constants and functions by the names of R and Python, and functions that are not called
data {
  int<lower=0> N;
  matrix[N, N] X;
}
parameters {
  real alpha;
  real<lower=0> sigma;
}
model {
  real a = inf;
  real b = NaN;
  int k = not(N);
  real m = NA;
  int d = TRUE;
  real e = 2 * pi;
  vector[2] f = c(1, 2);
  vector[N] g = rep(0, N);
  matrix[N, N] h = t(X);
  real i = det(X);
  real j = max(alpha, sigma);
  print(to_string(alpha));
  for (n in N) print(n);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_foreign_names.stan', line 12, column 11 to column 14:
//|    -------------------------------------------------
//|     10:  }
//|     11:  model {
//|     12:    real a = inf;
//|                     ^
//|     13:    real b = NaN;
//|     14:    int k = not(N);
//|    -------------------------------------------------
//|
//| Identifier 'inf' not in scope. Write 'positive_infinity()'.
//| Semantic error in 'bad_foreign_names.stan', line 13, column 11 to column 14:
//|    -------------------------------------------------
//|     11:  model {
//|     12:    real a = inf;
//|     13:    real b = NaN;
//|                     ^
//|     14:    int k = not(N);
//|     15:    real m = NA;
//|    -------------------------------------------------
//|
//| Identifier 'NaN' not in scope. Write 'not_a_number()'.
//| Semantic error in 'bad_foreign_names.stan', line 14, column 10 to column 16:
//|    -------------------------------------------------
//|     12:    real a = inf;
//|     13:    real b = NaN;
//|     14:    int k = not(N);
//|                    ^
//|     15:    real m = NA;
//|     16:    int d = TRUE;
//|    -------------------------------------------------
//|
//| A function named 'not' does not exist. A logical not is written !x.
//| Semantic error in 'bad_foreign_names.stan', line 15, column 11 to column 13:
//|    -------------------------------------------------
//|     13:    real b = NaN;
//|     14:    int k = not(N);
//|     15:    real m = NA;
//|                     ^
//|     16:    int d = TRUE;
//|     17:    real e = 2 * pi;
//|    -------------------------------------------------
//|
//| Identifier 'NA' not in scope. A program has no missing values; in data they are written null.
//| Semantic error in 'bad_foreign_names.stan', line 16, column 10 to column 14:
//|    -------------------------------------------------
//|     14:    int k = not(N);
//|     15:    real m = NA;
//|     16:    int d = TRUE;
//|                    ^
//|     17:    real e = 2 * pi;
//|     18:    vector[2] f = c(1, 2);
//|    -------------------------------------------------
//|
//| Identifier 'TRUE' not in scope. Truth values are the ints 1 and 0.
//| Semantic error in 'bad_foreign_names.stan', line 17, column 11 to column 17:
//|    -------------------------------------------------
//|     15:    real m = NA;
//|     16:    int d = TRUE;
//|     17:    real e = 2 * pi;
//|                     ^
//|     18:    vector[2] f = c(1, 2);
//|     19:    vector[N] g = rep(0, N);
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to operator *. Available signatures:
//| (int, int) => int
//| (real, real) => real
//| (real, vector) => vector
//| (real, row_vector) => row_vector
//| (real, matrix) => matrix
//| (vector, real) => vector
//| (vector, row_vector) => matrix
//| (row_vector, real) => row_vector
//| (17 more are not shown)
//| Instead supplied arguments of incompatible type: int, () => real.
//| 'pi' is a function: write pi().
//| Semantic error in 'bad_foreign_names.stan', line 18, column 16 to column 23:
//|    -------------------------------------------------
//|     16:    int d = TRUE;
//|     17:    real e = 2 * pi;
//|     18:    vector[2] f = c(1, 2);
//|                          ^
//|     19:    vector[N] g = rep(0, N);
//|     20:    matrix[N, N] h = t(X);
//|    -------------------------------------------------
//|
//| A function named 'c' does not exist. Write {1, 2} for an array, [1, 2] for a row vector, [1, 2]' for a vector, or use 'append_row' and 'append_array'.
//| Semantic error in 'bad_foreign_names.stan', line 19, column 16 to column 25:
//|    -------------------------------------------------
//|     17:    real e = 2 * pi;
//|     18:    vector[2] f = c(1, 2);
//|     19:    vector[N] g = rep(0, N);
//|                          ^
//|     20:    matrix[N, N] h = t(X);
//|     21:    real i = det(X);
//|    -------------------------------------------------
//|
//| A function named 'rep' does not exist. Use 'rep_vector' or 'rep_array'.
//| Semantic error in 'bad_foreign_names.stan', line 20, column 19 to column 23:
//|    -------------------------------------------------
//|     18:    vector[2] f = c(1, 2);
//|     19:    vector[N] g = rep(0, N);
//|     20:    matrix[N, N] h = t(X);
//|                             ^
//|     21:    real i = det(X);
//|     22:    real j = max(alpha, sigma);
//|    -------------------------------------------------
//|
//| A function named 't' does not exist. A transpose is written x'.
//| Semantic error in 'bad_foreign_names.stan', line 21, column 11 to column 17:
//|    -------------------------------------------------
//|     19:    vector[N] g = rep(0, N);
//|     20:    matrix[N, N] h = t(X);
//|     21:    real i = det(X);
//|                     ^
//|     22:    real j = max(alpha, sigma);
//|     23:    print(to_string(alpha));
//|    -------------------------------------------------
//|
//| A function named 'det' does not exist. Use 'determinant'.
//| Semantic error in 'bad_foreign_names.stan', line 22, column 11 to column 28:
//|    -------------------------------------------------
//|     20:    matrix[N, N] h = t(X);
//|     21:    real i = det(X);
//|     22:    real j = max(alpha, sigma);
//|                     ^
//|     23:    print(to_string(alpha));
//|     24:    for (n in N) print(n);
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'max':
//| (real, real)
//| Available signatures:
//| (int, int) => int
//|   Argument 1 has type int, found type real.
//| (vector) => real
//|   Expected 1 argument, found 2.
//| (row_vector) => real
//|   Expected 1 argument, found 2.
//| (matrix) => real
//|   Expected 1 argument, found 2.
//| (array[] int) => int
//|   Expected 1 argument, found 2.
//| (1 further signatures are not shown)
//| Of two reals it is 'fmax'.
//| Semantic error in 'bad_foreign_names.stan', line 23, column 8 to column 24:
//|    -------------------------------------------------
//|     21:    real i = det(X);
//|     22:    real j = max(alpha, sigma);
//|     23:    print(to_string(alpha));
//|                  ^
//|     24:    for (n in N) print(n);
//|     25:  }
//|    -------------------------------------------------
//|
//| A function named 'to_string' does not exist. 'print' shows values of every type.
//| Semantic error in 'bad_foreign_names.stan', line 24, column 12 to column 13:
//|    -------------------------------------------------
//|     22:    real j = max(alpha, sigma);
//|     23:    print(to_string(alpha));
//|     24:    for (n in N) print(n);
//|                      ^
//|     25:  }
//|    -------------------------------------------------
//|
//| A loop runs over an array, a vector, a row vector or a matrix, not over type int. To count up to it, write 1:N.
