// RUN: --debug-ast %s
// WHY: the tree
model { target += 1 + 2; }
//|exit 0
//|stdout
//| (Program (model (TargetPlus (BinOp (IntNumeral 1) Plus (IntNumeral 2)))))
