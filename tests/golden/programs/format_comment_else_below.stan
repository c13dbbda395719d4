// RUN: --auto-format %s
// WHY: a comment between branches
model {
  if (1) {
    print(1);
  }

  // otherwise
  else {
    print(2);
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a comment between branches
//| model {
//|   if (1) {
//|     print(1);
//|   }
//|   
//|   // otherwise
//|   else {
//|     print(2);
//|   }
//| }
//|
