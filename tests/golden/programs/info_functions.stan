// RUN: --info %s
// WHY: built-in functions, sorted
functions { real own(real a) { return exp(a); } }
transformed data { real a = own(sqrt(1) + log(2)); print(1); reject(2); }
//|exit 0
//|stdout
//| {
//|   "inputs": {},
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [ "exp", "log", "print", "reject", "sqrt" ],
//|   "distributions": [],
//|   "included_files": []
//| }
