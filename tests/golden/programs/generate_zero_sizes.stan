// RUN: --debug-generate-data %s
// WHY: empty containers
data { vector[0] a; array[0, 2] int b; }
//|exit 0
//|stdout
//| {
//|   "a": [],
//|   "b": []
//| }
