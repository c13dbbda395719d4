// RUN: %s
// WHY: a size that depends on a parameter
parameters {
  real p;
}
transformed parameters {
  vector[size({p})] x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_size_parameter.stan', line 7, column 15 to column 16:
//|    -------------------------------------------------
//|      5:  }
//|      6:  transformed parameters {
//|      7:    vector[size({p})] x;
//|                         ^
//|      8:  }
//|    -------------------------------------------------
//|
//| The sizes of a block's variables must be known before sampling; 'p' is declared in parameters.
