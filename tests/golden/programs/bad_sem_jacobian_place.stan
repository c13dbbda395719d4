// RUN: %s
// WHY: a _jacobian function in the model block
functions {
  real f_jacobian(real a) {
    jacobian += a;
    return a;
  }
}
model {
  real a = f_jacobian(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_jacobian_place.stan', line 10, column 11 to column 24:
//|    -------------------------------------------------
//|      8:  }
//|      9:  model {
//|     10:    real a = f_jacobian(1);
//|                     ^
//|     11:  }
//|    -------------------------------------------------
//|
//| Functions ending in _jacobian may only be called in transformed parameters and in functions ending in _jacobian.
