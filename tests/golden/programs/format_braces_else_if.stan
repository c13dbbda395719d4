// RUN: --auto-format --canonicalize=braces %s
// WHY: an if alone in an else is an else if
model { if (1) { print(1); } else { if (2) { print(2); } } }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=braces %s
//| // WHY: an if alone in an else is an else if
//| model {
//|   if (1) {
//|     print(1);
//|   } else if (2) {
//|     print(2);
//|   }
//| }
//|
