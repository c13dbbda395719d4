// RUN: --all-errors %s
// WHY: operators and habits of other languages
data {
  int<lower=0> N;
  matrix[N, N] X;
  vector[N] y;
}
parameters {
  real<0, 10> alpha;
}
model {
  if (N > 3 and N < 10) print(1);
  if (not N) print(1);
  alpha, beta ~ normal(0, 1);
  normal_lpdf(y | 0, 1);
  vector[N] a = X %*% y;
  vector[N] b = X @ y;
  matrix[N, N] c = X.T;
  vector[N] d = 2 × y;
  real α = 1;
  vector[3][2] e;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_foreign_syntax.stan', line 9, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|      7:  }
//|      8:  parameters {
//|      9:    real<0, 10> alpha;
//|                 ^
//|     10:  }
//|     11:  model {
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "lower", "upper", "offset" or "multiplier". Found integer literal "0". Bounds have names, as in "<lower=0, upper=1>".
//| Syntax error in 'bad_foreign_syntax.stan', line 12, column 12 to column 15, parsing error:
//|    -------------------------------------------------
//|     10:  }
//|     11:  model {
//|     12:    if (N > 3 and N < 10) print(1);
//|                      ^
//|     13:    if (not N) print(1);
//|     14:    alpha, beta ~ normal(0, 1);
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ")" after the condition. Found identifier "and". A logical and is written "&&".
//| Syntax error in 'bad_foreign_syntax.stan', line 13, column 10 to column 11, parsing error:
//|    -------------------------------------------------
//|     11:  model {
//|     12:    if (N > 3 and N < 10) print(1);
//|     13:    if (not N) print(1);
//|                    ^
//|     14:    alpha, beta ~ normal(0, 1);
//|     15:    normal_lpdf(y | 0, 1);
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ")" after the condition. Found identifier "N". A logical not is written "!".
//| Syntax error in 'bad_foreign_syntax.stan', line 14, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|     12:    if (N > 3 and N < 10) print(1);
//|     13:    if (not N) print(1);
//|     14:    alpha, beta ~ normal(0, 1);
//|                 ^
//|     15:    normal_lpdf(y | 0, 1);
//|     16:    vector[N] a = X %*% y;
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "=", an operator followed by "=", or "~" after the expression; a call of a void function ends with ";". Found ",". Each variable has a "~" statement of its own.
//| Syntax error in 'bad_foreign_syntax.stan', line 15, column 23 to column 24, parsing error:
//|    -------------------------------------------------
//|     13:    if (not N) print(1);
//|     14:    alpha, beta ~ normal(0, 1);
//|     15:    normal_lpdf(y | 0, 1);
//|                                 ^
//|     16:    vector[N] a = X %*% y;
//|     17:    vector[N] b = X @ y;
//|    -------------------------------------------------
//|
//| Ill-formed statement. A density counts once it is added: write "target += normal_lpdf(...)".
//| Syntax error in 'bad_foreign_syntax.stan', line 16, column 19 to column 20, parsing error:
//|    -------------------------------------------------
//|     14:    alpha, beta ~ normal(0, 1);
//|     15:    normal_lpdf(y | 0, 1);
//|     16:    vector[N] a = X %*% y;
//|                             ^
//|     17:    vector[N] b = X @ y;
//|     18:    matrix[N, N] c = X.T;
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found "*". A product of matrices is written "*".
//| Syntax error in 'bad_foreign_syntax.stan', line 17, column 18 to column 19, lexing error:
//|    -------------------------------------------------
//|     15:    normal_lpdf(y | 0, 1);
//|     16:    vector[N] a = X %*% y;
//|     17:    vector[N] b = X @ y;
//|                            ^
//|     18:    matrix[N, N] c = X.T;
//|     19:    vector[N] d = 2 × y;
//|    -------------------------------------------------
//|
//| Invalid character found. A product of matrices is written "*".
//| Syntax error in 'bad_foreign_syntax.stan', line 18, column 20 to column 21, lexing error:
//|    -------------------------------------------------
//|     16:    vector[N] a = X %*% y;
//|     17:    vector[N] b = X @ y;
//|     18:    matrix[N, N] c = X.T;
//|                              ^
//|     19:    vector[N] d = 2 × y;
//|     20:    real α = 1;
//|    -------------------------------------------------
//|
//| Invalid character found. A transpose is written "x'".
//| Syntax error in 'bad_foreign_syntax.stan', line 19, column 18 to column 19, lexing error:
//|    -------------------------------------------------
//|     17:    vector[N] b = X @ y;
//|     18:    matrix[N, N] c = X.T;
//|     19:    vector[N] d = 2 × y;
//|                            ^
//|     20:    real α = 1;
//|     21:    vector[3][2] e;
//|    -------------------------------------------------
//|
//| Invalid character found. A product is written "*".
//| Syntax error in 'bad_foreign_syntax.stan', line 20, column 7 to column 8, lexing error:
//|    -------------------------------------------------
//|     18:    matrix[N, N] c = X.T;
//|     19:    vector[N] d = 2 × y;
//|     20:    real α = 1;
//|                 ^
//|     21:    vector[3][2] e;
//|     22:  }
//|    -------------------------------------------------
//|
//| Invalid character found. Names are made of the letters a to z and A to Z, digits and "_".
//| Syntax error in 'bad_foreign_syntax.stan', line 21, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|     19:    vector[N] d = 2 × y;
//|     20:    real α = 1;
//|     21:    vector[3][2] e;
//|                     ^
//|     22:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected a variable name. Found "[". An array of containers is written "array[N] vector[K] x".
