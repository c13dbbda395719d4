// RUN: --auto-format %s
// WHY: one statement per line
model { print(1); print(2); }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: one statement per line
//| model {
//|   print(1);
//|   print(2);
//| }
//|
