// RUN: %s
// WHY: a matrix raised to a scalar
data {
  matrix[2, 2] a;
}
transformed data {
  matrix[2, 2] b = a ^ 2;
}
//|exit 1
//|stderr
//| Warning in 'warn_matrix_power.stan', line 7, column 19 to column 20:
//|     Found matrix^scalar. This raises every element to the power. Write .^ to
//|     say so, or use matrix_power for the power of the matrix itself.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
