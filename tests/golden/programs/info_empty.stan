// RUN: --info %s
// WHY: a program without declarations
model {}
//|exit 0
//|stdout
//| {
//|   "inputs": {},
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": []
//| }
