// RUN: --auto-format --canonicalize=braces %s
// WHY: single statements get braces
model { if (1) print(1); else if (2) print(2); else print(3); while (0) print(4); for (i in 1:2) print(i); }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=braces %s
//| // WHY: single statements get braces
//| model {
//|   if (1) {
//|     print(1);
//|   } else if (2) {
//|     print(2);
//|   } else {
//|     print(3);
//|   }
//|   while (0) {
//|     print(4);
//|   }
//|   for (i in 1 : 2) {
//|     print(i);
//|   }
//| }
//|
