// RUN: %s
// WHY: a likelihood without second derivatives
functions {
  real ll(vector theta, vector y) {
    return sum(integrate_ode_rk45(rhs, {1.0}, 0.0, {1.0}, {theta[1]}, {1.0}, {1})[1]);
  }
  array[] real rhs(real t, array[] real y, array[] real theta, array[] real xr, array[] int xi) {
    return y;
  }
  matrix k(real a) {
    return [[a]];
  }
}
transformed data {
  vector[1] y = [1]';
}
model {
  target += laplace_marginal(ll, (y,), 1, k, (1.0,));
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_laplace_order.stan', line 18, column 29 to column 31:
//|    -------------------------------------------------
//|     16:  }
//|     17:  model {
//|     18:    target += laplace_marginal(ll, (y,), 1, k, (1.0,));
//|                                       ^
//|     19:  }
//|    -------------------------------------------------
//|
//| The likelihood 'll' needs second derivatives, but it calls 'integrate_ode_rk45', which does not provide them.
