// RUN: %s --auto-format
// WHY: the program may come first
model { print(1); }
//|exit 0
//|stdout
//| // RUN: %s --auto-format
//| // WHY: the program may come first
//| model {
//|   print(1);
//| }
//|
