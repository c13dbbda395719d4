// RUN: --auto-format %s
// WHY: tuples on the left
model { int a; real b; (a,b)=(1,2.0); }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: tuples on the left
//| model {
//|   int a;
//|   real b;
//|   (a, b) = (1, 2.0);
//| }
//|
