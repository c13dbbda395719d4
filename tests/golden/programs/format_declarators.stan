// RUN: --auto-format %s
// WHY: several names in a declaration
model { real a=1,b,c=3; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: several names in a declaration
//| model {
//|   real a = 1, b, c = 3;
//| }
//|
