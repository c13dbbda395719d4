// RUN: --auto-format %s
// WHY: comments among arguments
model {
  print(pow(/* a */ 1 /* b */, /* c */ 2 /* d */));
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments among arguments
//| model {
//|   print(pow(/* a */ 1 /* b */, /* c */2 /* d */));
//| }
//|
