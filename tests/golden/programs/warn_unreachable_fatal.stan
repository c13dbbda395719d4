// RUN: %s
// WHY: a statement after fatal_error
model {
  fatal_error("no");
  print(1);
}
//|exit 0
//|stderr
//| Warning in 'warn_unreachable_fatal.stan', line 5, column 2 to column 11:
//|     This statement is never reached: the 'fatal_error' before it leaves the
//|     block.
//|
