// RUN: --debug-ast %s
// WHY: the tree
model { target += 1 + 2; }
//|exit 0
//|stdout
//| (Program (model (TargetPlus (BinOp (IntNumeral 1) Plus (IntNumeral 2)))))
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
