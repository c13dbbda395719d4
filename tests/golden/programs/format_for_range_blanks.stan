// RUN: --auto-format %s
// WHY: blanks round the colon of a range
model {
  for (i in 1:2+1) { print(i); }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: blanks round the colon of a range
//| model {
//|   for (i in 1 : 2 + 1) {
//|     print(i);
//|   }
//| }
//|
