// RUN: --auto-format --canonicalize=deprecations %s
// WHY: old forms of indexing and of function bodies are modernised
functions {
  real f(vector x) return x'[1];
}
transformed data {
  array[2, 2] matrix[3, 3] m;
  m[1 : 2][1][ : , 2] = m[1 : 2, 2,  : , 1];
  real y = m[1, 1]'[1]'[2];
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=deprecations %s
//| // WHY: old forms of indexing and of function bodies are modernised
//| functions {
//|   real f(vector x) {
//|     return (x')[1];
//|   }
//| }
//| transformed data {
//|   array[2, 2] matrix[3, 3] m;
//|   m[1 : 2, 1,  : , 2] = m[1 : 2, 2,  : , 1];
//|   real y = ((m[1, 1]')[1]')[2];
//| }
//|
