// RUN: --debug-generate-data --debug-data-file=includes/limits.json %s
// WHY: numbers at the ends of doubles and ints, in the program and in the data
data { real<lower=1e-310, upper=1e400> d; real<lower=-1.7e308, upper=1.7e308> e; real<lower=1e400> f; int<lower=2147483646> n;
  real small; real<lower=small, upper=4.9e-324> g; int<upper=-2147483647> m; real tiny; real huge; }
//|exit 0
//|stdout
//| {
//|   "d": 1.6228763401570339,
//|   "e": -4.003863918603099e+307,
//|   "f": "inf",
//|   "n": 2147483646,
//|   "small": -1e-310,
//|   "g": -9.885444910653e-311,
//|   "m": -2147483648,
//|   "tiny": 0.0,
//|   "huge": "-inf"
//| }
