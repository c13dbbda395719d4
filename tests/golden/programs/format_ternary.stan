// RUN: --auto-format %s
// WHY: ternaries
transformed data { int a = 1?2:3?4:5; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: ternaries
//| transformed data {
//|   int a = 1 ? 2 : 3 ? 4 : 5;
//| }
//|
