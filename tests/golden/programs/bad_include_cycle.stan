// RUN: --include-paths=includes %s
// WHY: recursion is reported with the whole chain
data {
  #include cycle_a.inc
}
//|exit 1
//|stderr
//| Syntax error in 'includes/cycle_a.inc', line 1, column 0, included from
//| 'includes/cycle_b.inc', line 2, column 0, included from
//| 'includes/cycle_a.inc', line 1, column 0, included from
//| 'bad_include_cycle.stan', line 4, column 2, include error:
//|    -------------------------------------------------
//|      1:  #include cycle_b.inc
//|          ^
//|    -------------------------------------------------
//|
//| File cycle_a.inc recursively included itself.
