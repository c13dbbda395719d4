// RUN: %s
// WHY: a callback of the wrong type
functions {
  real f(real a) {
    return a;
  }
}
transformed data {
  vector[1] a = algebra_solver(f, [1]', [1]', {1.0}, {1});
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_function_argument.stan', line 9, column 16 to column 57:
//|    -------------------------------------------------
//|      7:  }
//|      8:  transformed data {
//|      9:    vector[1] a = algebra_solver(f, [1]', [1]', {1.0}, {1});
//|                          ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'algebra_solver':
//| (function f, vector, vector, array[] real, array[] int)
//| Available signatures:
//| (<F1>, vector, vector, data array[] real, data array[] int) => vector
//|   Argument 1 must be the name of a function of type (vector, vector, data array[] real, data array[] int) => vector.
//| (<F1>, vector, vector, data array[] real, data array[] int, data real, data real, data real) => vector
//|   Expected 8 arguments, found 5.
//|   where <F1> = (vector, vector, data array[] real, data array[] int) => vector
