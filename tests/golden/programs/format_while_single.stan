// RUN: --auto-format %s
// WHY: the body of while stays on the line
model {
  while (0)
    print(1);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: the body of while stays on the line
//| model {
//|   while (0) print(1);
//| }
//|
