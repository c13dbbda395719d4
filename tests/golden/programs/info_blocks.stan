// RUN: --info %s
// WHY: transformed data and local variables do not show
data { int a; }
transformed data { int b; }
parameters { real c; }
transformed parameters { real d; { real e; } }
model { real f; }
generated quantities { real g; }
//|exit 0
//|stdout
//| {
//|   "inputs": { "a": { "type": "int", "dimensions": 0 } },
//|   "parameters": { "c": { "type": "real", "dimensions": 0 } },
//|   "transformed parameters": { "d": { "type": "real", "dimensions": 0 } },
//|   "generated quantities": { "g": { "type": "real", "dimensions": 0 } },
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": []
//| }
