// RUN: %s
// WHY: a parameter where data is required
functions {
  real f(data real a) {
    return a;
  }
}
parameters {
  real p;
}
model {
  target += f(p);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_call_data_only.stan', line 12, column 12 to column 16:
//|    -------------------------------------------------
//|     10:  }
//|     11:  model {
//|     12:    target += f(p);
//|                      ^
//|     13:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to function 'f':
//| (real)
//| Available signatures:
//| (data real) => real
//|   Argument 1 is data-only, found an expression that depends on parameters or local variables.
