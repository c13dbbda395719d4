// RUN: --debug-generate-data %s
// WHY: bounds hold
data { int<lower=0> a; int<lower=0, upper=1> b; int<upper=3> c; real<lower=10> d; real<upper=-10> e; real<lower=3, upper=4> f; int<lower=5, upper=5> g; }
//|exit 0
//|stdout
//| {
//|   "a": 2,
//|   "b": 0,
//|   "c": 0,
//|   "d": 10.057277544673267,
//|   "e": -12.523649656580844,
//|   "f": 3.0205652395597458,
//|   "g": 5
//| }
