// RUN: --auto-format -- %s
// WHY: -- ends the options
model { print(1); }
//|exit 0
//|stdout
//| // RUN: --auto-format -- %s
//| // WHY: -- ends the options
//| model {
//|   print(1);
//| }
//|
