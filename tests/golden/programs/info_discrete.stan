// RUN: --info %s
// WHY: probability masses
data { int y; }
model { y ~ poisson(3); }
//|exit 0
//|stdout
//| {
//|   "inputs": { "y": { "type": "int", "dimensions": 0 } },
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [ "poisson_lupmf" ],
//|   "included_files": []
//| }
