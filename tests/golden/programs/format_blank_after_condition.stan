// RUN: --auto-format %s
// WHY: an empty line behind a condition
model {
  if (1)

    print(1);
  else

    print(2);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: an empty line behind a condition
//| model {
//|   if (1) 
//|   
//|     print(1);
//|   else 
//|   
//|     print(2);
//| }
//|
