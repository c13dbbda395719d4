// RUN: %s
// WHY: a statement after return
functions {
  real f() {
    return 1;
    print(1);
  }
}
//|exit 0
//|stderr
//| Warning in 'warn_unreachable_return.stan', line 6, column 4 to column 13:
//|     This statement is never reached: the 'return' before it leaves the block.
//|
