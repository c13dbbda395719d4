// RUN: --auto-format %s
// WHY: empty bodies have a line of their own
model { if (1) {} while (0) {} for (i in 1:2) {} {} }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: empty bodies have a line of their own
//| model {
//|   if (1) {
//|     
//|   }
//|   while (0) {
//|     
//|   }
//|   for (i in 1 : 2) {
//|     
//|   }
//|   {
//|     
//|   }
//| }
//|
