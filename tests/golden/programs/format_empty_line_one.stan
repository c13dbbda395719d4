// RUN: --auto-format %s
// WHY: several empty lines become one
model {
  print(1);



  print(2);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: several empty lines become one
//| model {
//|   print(1);
//|   
//|   print(2);
//| }
//|
