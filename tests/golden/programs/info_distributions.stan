// RUN: --info %s
// WHY: distributions as they are called
parameters { real y; }
model { y ~ normal(0, 1); target += cauchy_lpdf(y | 0, 1) + normal_lcdf(y | 0, 1); target += std_normal_lpdf(y); }
//|exit 0
//|stdout
//| {
//|   "inputs": {},
//|   "parameters": { "y": { "type": "real", "dimensions": 0 } },
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [
//|     "cauchy_lpdf", "normal_lcdf", "normal_lupdf", "std_normal_lpdf"
//|   ],
//|   "included_files": []
//| }
