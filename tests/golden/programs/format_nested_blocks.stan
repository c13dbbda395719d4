// RUN: --auto-format %s
// WHY: blocks in blocks
model { { { print(1); } } }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: blocks in blocks
//| model {
//|   {
//|     {
//|       print(1);
//|     }
//|   }
//| }
//|
