// RUN: --auto-format %s
// WHY: chains of branches stay at one level
model {
  if (1) { print(1); }
  else if (2) { print(2); }
  else { print(3); }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: chains of branches stay at one level
//| model {
//|   if (1) {
//|     print(1);
//|   } else if (2) {
//|     print(2);
//|   } else {
//|     print(3);
//|   }
//| }
//|
