// RUN: --auto-format %s
// WHY: bounds, lower before upper
parameters { real<upper=1,lower=0> a; vector<lower=0>[2] b; real<multiplier=2,offset=1> c; array[2] real<upper=3> d; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: bounds, lower before upper
//| parameters {
//|   real<lower=0, upper=1> a;
//|   vector<lower=0>[2] b;
//|   real<offset=1, multiplier=2> c;
//|   array[2] real<upper=3> d;
//| }
//|
