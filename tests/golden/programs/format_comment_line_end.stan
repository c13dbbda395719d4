// RUN: --auto-format %s
// WHY: comments behind statements
model {
  print(1); // one
  print(2); /* two */
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments behind statements
//| model {
//|   print(1); // one
//|   print(2); /* two */
//| }
//|
