// RUN: %s
// WHY: assigning to target
parameters {
  real x;
}
model {
  target = normal_lpdf(x | 0, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_target_assigned.stan', line 7, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    target = normal_lpdf(x | 0, 1);
//|                   ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "+=" after "target": it can only be added to. Found "=".
