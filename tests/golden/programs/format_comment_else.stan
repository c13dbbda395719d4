// RUN: --auto-format %s
// WHY: comments at else
model {
  if (1) {
    print(1);
  } // one
  else { // two
    print(2);
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments at else
//| model {
//|   if (1) {
//|     print(1);
//|   } // one
//|   else {
//|     // two
//|     print(2);
//|   }
//| }
//|
