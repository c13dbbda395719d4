// RUN: --auto-format %s
// WHY: a comment without a place is set off
model {
  for (i /* where */ in 1:3) {
    print(i);
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a comment without a place is set off
//| model {
//|   for (i in 1 : 3) {
//|     /* where */
//|     print(i);
//|   }
//| }
//|
