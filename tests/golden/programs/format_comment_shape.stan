// RUN: --auto-format %s
// WHY: further lines of a comment keep their shape
model {
      /* one
           two
         three */
  print(1);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: further lines of a comment keep their shape
//| model {
//|   /* one
//|        two
//|      three */
//|   print(1);
//| }
//|
