// RUN: --auto-format %s
// WHY: items of print
model { print("a",1,  "b c"); reject("no"); fatal_error("worse",2); }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: items of print
//| model {
//|   print("a", 1, "b c");
//|   reject("no");
//|   fatal_error("worse", 2);
//| }
//|
//|stderr
//| Warning in 'format_print_items.stan', line 3, column 44 to column 67:
//|     This statement is never reached: the 'reject' before it leaves the block.
//|
