// RUN: %s
// WHY: a density that returns no real
functions {
  int f_lpdf(real a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_function_density_return.stan', line 4, column 2 to line 6, column 3:
//|    -------------------------------------------------
//|      2:  // WHY: a density that returns no real
//|      3:  functions {
//|      4:    int f_lpdf(real a) {
//|            ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Function 'f_lpdf' must return real, as the ending of its name says; it returns int.
