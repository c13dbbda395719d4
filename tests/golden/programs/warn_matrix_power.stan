// RUN: %s
// WHY: a matrix raised to a scalar
data {
  matrix[2, 2] a;
}
transformed data {
  matrix[2, 2] b = a ^ 2;
}
//|exit 0
//|stderr
//| Warning in 'warn_matrix_power.stan', line 7, column 19 to column 20:
//|     Found matrix^scalar. This raises every element to the power. Write .^ to
//|     say so, or use matrix_power for the power of the matrix itself.
//|
