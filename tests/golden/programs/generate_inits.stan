// RUN: --debug-generate-inits %s
// WHY: initial values of parameters
data { int<lower=2, upper=2> N; }
transformed data { int M = N + 1; }
parameters { vector[M] a; real<lower=0> b; simplex[N] c; }
//|exit 0
//|stdout
//| {
//|   "a": [3.911196482558368, 3.7980860382367765, 2.0572775446732683],
//|   "b": 2.4763503434191554,
//|   "c": [0.02342782349672653, 0.9765721765032734]
//| }
