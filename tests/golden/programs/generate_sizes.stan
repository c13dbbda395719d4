// RUN: --debug-generate-data %s
// WHY: sizes are what was generated before
data { int<lower=1, upper=2> N; vector[N] x; array[N, N + 1] int y; matrix[2 * N, 1] z; }
//|exit 0
//|stdout
//| {
//|   "N": 1,
//|   "x": [3.911196482558368],
//|   "y": [[3, 2]],
//|   "z": [[4.476350343419155], [2.1028261977987293]]
//| }
