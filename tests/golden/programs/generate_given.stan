// RUN: --debug-generate-data --debug-data-file=includes/given.json %s
// WHY: given values are kept
data { int N; vector[N] x; tuple(int, real) t; }
//|exit 0
//|stdout
//| {
//|   "N": 2,
//|   "x": [3.622876340157034, 3.911196482558368],
//|   "t": {"1": 7, "2": 0.5}
//| }
