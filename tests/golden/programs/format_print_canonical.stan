// RUN: --print-canonical %s
// WHY: all rewrites at once
model { if ((1)) print(((2))); }
//|exit 0
//|stdout
//| // RUN: --print-canonical %s
//| // WHY: all rewrites at once
//| model {
//|   if (1) {
//|     print(2);
//|   }
//| }
//|
