// RUN: %s
// WHY: a statement after reject
model {
  reject("no");
  print(1);
}
//|exit 1
//|stderr
//| Warning in 'warn_unreachable_reject.stan', line 5, column 2 to column 11:
//|     This statement is never reached: the 'reject' before it leaves the block.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
