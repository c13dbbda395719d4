// RUN: %s
// WHY: an offset of the wrong type
parameters {
  vector<offset={1.0}>[1] x;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_offset_type.stan', line 4, column 16 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: an offset of the wrong type
//|      3:  parameters {
//|      4:    vector<offset={1.0}>[1] x;
//|                          ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The offset of a variable must be a scalar or have the variable's own type vector, found type array[] real.
