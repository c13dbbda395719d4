// RUN: --auto-format %s
// WHY: the body of for goes below
model {
  for (i in 1:3) print(i);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: the body of for goes below
//| model {
//|   for (i in 1 : 3) 
//|     print(i);
//| }
//|
