// RUN: --info --info %s
// WHY: a repeated flag is accepted once
model {
}
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
//| Warning: Duplicated flag '--info' ignored, consider updating your call to stanc!
