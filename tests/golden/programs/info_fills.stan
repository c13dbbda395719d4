// RUN: --info %s
// WHY: long lists are filled
model { print(exp(1), log(1), sqrt(1), sin(1), cos(1), tan(1), sinh(1), cosh(1), tanh(1), atan(1), asin(1), acos(1), square(1), cbrt(1)); }
//|exit 0
//|stdout
//| {
//|   "inputs": {},
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [
//|     "acos", "asin", "atan", "cbrt", "cos", "cosh", "exp", "log", "print",
//|     "sin", "sinh", "sqrt", "square", "tan", "tanh"
//|   ],
//|   "distributions": [],
//|   "included_files": []
//| }
