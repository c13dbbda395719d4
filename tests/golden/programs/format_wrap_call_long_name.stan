// RUN: --auto-format %s
// WHY: behind a long name they do not
transformed data {
  matrix[3, 3] a = multiply_lower_tri_self_transpose(diag_matrix(rep_vector(123456789.123456789, 3 + 3 - 3 + 3 - 3)));
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: behind a long name they do not
//| transformed data {
//|   matrix[3, 3] a = multiply_lower_tri_self_transpose(
//|                      diag_matrix(
//|                                  rep_vector(123456789.123456789,
//|                                             3 + 3 - 3 + 3 - 3)));
//| }
//|
