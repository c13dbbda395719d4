// RUN: --info %s
// WHY: constraints do not show
parameters { real<lower=0> a; simplex[3] b; cov_matrix[2] c; }
//|exit 0
//|stdout
//| {
//|   "inputs": {},
//|   "parameters": {
//|     "a": { "type": "real", "dimensions": 0 },
//|     "b": { "type": "real", "dimensions": 1 },
//|     "c": { "type": "real", "dimensions": 2 }
//|   },
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": []
//| }
