// RUN: --auto-format %s
// WHY: comments on lines of their own
// before
model {
  // first
  print(1);
  // second

  // third
  print(2);
  // last
}
// after
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments on lines of their own
//| // before
//| model {
//|   // first
//|   print(1);
//|   // second
//|   
//|   // third
//|   print(2);
//|   // last
//| }
//| // after
