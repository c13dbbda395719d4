// RUN: --auto-format %s
// WHY: a stray semicolon
model { ; print(1);; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a stray semicolon
//| model {
//|   ;
//|   print(1);
//|   ;
//| }
//|
