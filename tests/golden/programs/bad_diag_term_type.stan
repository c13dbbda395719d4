// RUN: %s
// WHY: a term that is a function
functions {
  real f(real x) {
    return x;
  }
}
model {
  target += f;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_diag_term_type.stan', line 9, column 2 to column 14:
//|    -------------------------------------------------
//|      7:  }
//|      8:  model {
//|      9:    target += f;
//|            ^
//|     10:  }
//|    -------------------------------------------------
//|
//| A term must be a number or a container of numbers, found type a function.
