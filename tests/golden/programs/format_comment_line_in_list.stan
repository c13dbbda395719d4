// RUN: --auto-format %s
// WHY: a line comment in a list ends its line
transformed data {
  array[2] int a = {1, // one
    2 // two
  };
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a line comment in a list ends its line
//| transformed data {
//|   array[2] int a = {1, // one
//|                     2 // two
//|                     };
//| }
//|
