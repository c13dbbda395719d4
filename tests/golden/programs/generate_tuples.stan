// RUN: --debug-generate-data %s
// WHY: tuples are objects
data { tuple(int, real, array[2] int) a; array[2] tuple(int, real) b; }
//|exit 0
//|stdout
//| {
//|   "a": {"1": 3, "2": 3.911196482558368, "3": [3, 2]},
//|   "b": [{"1": 4, "2": 2.1028261977987293}, {"1": 6, "2": 6.227544039341847}]
//| }
