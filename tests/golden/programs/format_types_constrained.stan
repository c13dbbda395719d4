// RUN: --auto-format %s
// WHY: all constrained types
parameters { ordered[2] a; positive_ordered[2] b; simplex[2] c; unit_vector[2] d; sum_to_zero_vector[2] e; cholesky_factor_corr[2] f; cholesky_factor_cov[2] g; cholesky_factor_cov[3,2] h; corr_matrix[2] i; cov_matrix[2] j; column_stochastic_matrix[2,3] k; row_stochastic_matrix[2,3] l; sum_to_zero_matrix[2,3] m; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: all constrained types
//| parameters {
//|   ordered[2] a;
//|   positive_ordered[2] b;
//|   simplex[2] c;
//|   unit_vector[2] d;
//|   sum_to_zero_vector[2] e;
//|   cholesky_factor_corr[2] f;
//|   cholesky_factor_cov[2] g;
//|   cholesky_factor_cov[3, 2] h;
//|   corr_matrix[2] i;
//|   cov_matrix[2] j;
//|   column_stochastic_matrix[2, 3] k;
//|   row_stochastic_matrix[2, 3] l;
//|   sum_to_zero_matrix[2, 3] m;
//| }
//|
