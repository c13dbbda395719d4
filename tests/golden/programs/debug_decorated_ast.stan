// RUN: --debug-decorated-ast %s
// WHY: the tree with its types
model { target += 1 + 2; }
//|exit 0
//|stdout
//| (Program
//|  (model
//|   (TargetPlus
//|    (expr (type "data int")
//|     (BinOp (expr (type "data int") (IntNumeral 1)) Plus
//|      (expr (type "data int") (IntNumeral 2)))))))
