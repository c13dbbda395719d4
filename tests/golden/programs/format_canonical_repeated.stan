// RUN: --auto-format --canonicalize=braces --canonicalize=parentheses %s
// WHY: lists of rewrites add up
model { if ((1)) print(2); }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=braces --canonicalize=parentheses %s
//| // WHY: lists of rewrites add up
//| model {
//|   if (1) {
//|     print(2);
//|   }
//| }
//|
