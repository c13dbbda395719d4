// RUN: --auto-format %s
// WHY: tuples, also of one slot
data { tuple(int,) a; tuple(array[2] real,vector[3]) b; tuple(tuple(int,real),int) c; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: tuples, also of one slot
//| data {
//|   tuple(int,) a;
//|   tuple(array[2] real, vector[3]) b;
//|   tuple(tuple(int, real), int) c;
//| }
//|
