// RUN: --auto-format %s
// WHY: signatures of functions
functions { void f(int a,data real b) {} real g(array[] real a,array[,] int b) { return 1; } tuple(int,real) h(tuple(int,real) a) { return a; } }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: signatures of functions
//| functions {
//|   void f(int a, data real b) {
//|     
//|   }
//|   real g(array[] real a, array[,] int b) {
//|     return 1;
//|   }
//|   tuple(int, real) h(tuple(int, real) a) {
//|     return a;
//|   }
//| }
//|
