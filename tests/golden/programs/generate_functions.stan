// RUN: --debug-generate-data %s
// WHY: functions in sizes
data { int<lower=3, upper=3> N; vector[max({N, 2})] a; array[size(a)] int b; vector[N > 2 ? 1 : 2] c; }
//|exit 0
//|stdout
//| {
//|   "N": 3,
//|   "a": [3.911196482558368, 3.7980860382367765, 2.0572775446732683],
//|   "b": [4, 2, 6],
//|   "c": [6.227544039341847]
//| }
