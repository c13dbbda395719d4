// RUN: %s
// WHY: a statement after reject
model {
  reject("no");
  print(1);
}
//|exit 0
//|stderr
//| Warning in 'warn_unreachable_reject.stan', line 5, column 2 to column 11:
//|     This statement is never reached: the 'reject' before it leaves the block.
//|
