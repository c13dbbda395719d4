// RUN: --auto-format %s
// WHY: all unconstrained types
data { int a; real b; complex c; vector[1] d; row_vector[2] e; matrix[1,2] f; complex_vector[1] g; complex_row_vector[2] h; complex_matrix[1,2] i; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: all unconstrained types
//| data {
//|   int a;
//|   real b;
//|   complex c;
//|   vector[1] d;
//|   row_vector[2] e;
//|   matrix[1, 2] f;
//|   complex_vector[1] g;
//|   complex_row_vector[2] h;
//|   complex_matrix[1, 2] i;
//| }
//|
