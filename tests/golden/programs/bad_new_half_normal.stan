// RUN: %s
// WHY: a distribution that is a bound here
parameters {
  real x;
}
model {
  x ~ half_normal(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_half_normal.stan', line 7, column 6 to column 17:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    x ~ half_normal(1);
//|                ^
//|      8:  }
//|    -------------------------------------------------
//|
//| There is no distribution 'half_normal': neither a function 'half_normal_lpdf' nor a function 'half_normal_lpmf' exists. Write 'normal', and declare the variable with <lower=0>.
