// RUN: --info %s
// WHY: scalar types
data { int a; real b; complex c; }
//|exit 0
//|stdout
//| {
//|   "inputs": {
//|     "a": { "type": "int", "dimensions": 0 },
//|     "b": { "type": "real", "dimensions": 0 },
//|     "c": { "type": "complex", "dimensions": 0 }
//|   },
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": []
//| }
