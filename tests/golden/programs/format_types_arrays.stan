// RUN: --auto-format %s
// WHY: arrays of everything
data { array[2,3] real a; array[1] vector[2] b; array[2] tuple(int,real) c; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: arrays of everything
//| data {
//|   array[2, 3] real a;
//|   array[1] vector[2] b;
//|   array[2] tuple(int, real) c;
//| }
//|
