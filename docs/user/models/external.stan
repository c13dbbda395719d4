functions {
  real f(real x);
}
parameters {
  real x;
}
model {
  x ~ normal(0, 1);
}
generated quantities {
  real z = f(x);
}
