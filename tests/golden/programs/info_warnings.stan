// RUN: --info %s
// WHY: warnings of types come all the same
transformed data { real a = 1 / 2; }
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
//|stderr
//| Warning in 'info_warnings.stan', line 3, column 28 to column 29:
//|     Found int division: 1 / 2. The result is an int, values are rounded
//|     towards zero. If rounding is intended please use the integer division
//|     operator %/%, otherwise write one side as a real number, such as 1 / 2.0.
//|
