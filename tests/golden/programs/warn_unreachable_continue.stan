// RUN: %s
// WHY: a statement after continue
model {
  for (i in 1:2) {
    continue;
    print(1);
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_unreachable_continue.stan', line 6, column 4 to column 13:
//|     This statement is never reached: the 'continue' before it leaves the
//|     block.
//|
