// RUN: --auto-format %s
// WHY: no empty lines at the edges of a block
model {

  print(1);

}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: no empty lines at the edges of a block
//| model {
//|   print(1);
//| }
//|
