// RUN: --auto-format --canonicalize=braces %s
// WHY: a loop over elements keeps its body
model { for (x in {1, 2}) print(x); }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=braces %s
//| // WHY: a loop over elements keeps its body
//| model {
//|   for (x in {1, 2}) 
//|     print(x);
//| }
//|
