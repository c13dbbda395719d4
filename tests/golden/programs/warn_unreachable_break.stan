// RUN: %s
// WHY: a statement after break
model {
  while (1) {
    break;
    print(1);
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_unreachable_break.stan', line 6, column 4 to column 13:
//|     This statement is never reached: the 'break' before it leaves the block.
//|
