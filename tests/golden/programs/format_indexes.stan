// RUN: --auto-format %s
// WHY: indexes and ranges
data { matrix[3,3] a; }
transformed data { matrix[2,2] b=a[1:2,2:]; vector[3] c=a[:,1]; row_vector[3] d=a[1]; matrix[2,3] e=a[:2,]; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: indexes and ranges
//| data {
//|   matrix[3, 3] a;
//| }
//| transformed data {
//|   matrix[2, 2] b = a[1 : 2, 2 : ];
//|   vector[3] c = a[ : , 1];
//|   row_vector[3] d = a[1];
//|   matrix[2, 3] e = a[ : 2,  : ];
//| }
//|
