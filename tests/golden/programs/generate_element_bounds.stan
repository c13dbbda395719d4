// RUN: --debug-generate-data %s
// WHY: bounds of elements
data { vector[2] low; vector<lower=low>[2] x; }
//|exit 0
//|stdout
//| {
//|   "low": [3.622876340157034, 3.911196482558368],
//|   "x": [5.420962378393811, 3.968474027231636]
//| }
