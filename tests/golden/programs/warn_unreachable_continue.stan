// RUN: %s
// WHY: a statement after continue
model {
  for (i in 1:2) {
    continue;
    print(1);
  }
}
//|exit 1
//|stderr
//| Warning in 'warn_unreachable_continue.stan', line 6, column 4 to column 13:
//|     This statement is never reached: the 'continue' before it leaves the
//|     block.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
