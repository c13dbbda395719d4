// RUN: --auto-format %s
// WHY: a loop over elements
model {
  for (x in {1,2}) { print(x); }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a loop over elements
//| model {
//|   for (x in {1, 2}) {
//|     print(x);
//|   }
//| }
//|
