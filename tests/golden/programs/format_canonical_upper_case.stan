// RUN: --auto-format --canonicalize=BRACES,Parentheses %s
// WHY: names of rewrites in any case
model { if (1) print(2); }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=BRACES,Parentheses %s
//| // WHY: names of rewrites in any case
//| model {
//|   if (1) {
//|     print(2);
//|   }
//| }
//|
