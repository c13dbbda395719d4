// RUN: --debug-generate-inits %s
// WHY: initial values of parameters
transformed data { int M = 2 + 1; }
parameters { vector[M] a; real<lower=0> b; simplex[2] c; }
//|exit 0
//|stdout
//| {
//|   "a": [3.622876340157034, 3.911196482558368, 3.7980860382367765],
//|   "b": 0.05727754467326818,
//|   "c": [0.9601321599528139, 0.039867840047186125]
//| }
