// RUN: %s
// WHY: a statement behind a return
functions {
  real f() {
    return 1;
    print("never");
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_unreachable.stan', line 6, column 4 to column 19:
//|     This statement is never reached: the 'return' before it leaves the block.
//|
