// RUN: --debug-generate-data %s
// WHY: numbers
data { int a; real b; complex c; }
//|exit 0
//|stdout
//| {
//|   "a": 3,
//|   "b": 3.911196482558368,
//|   "c": [3.7980860382367765, 2.0572775446732683]
//| }
