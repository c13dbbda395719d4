// RUN: %s
// WHY: the log density under its oldest name
model {
  lp__ = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_lp.stan', line 4, column 2 to column 6:
//|    -------------------------------------------------
//|      2:  // WHY: the log density under its oldest name
//|      3:  model {
//|      4:    lp__ = 1;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'lp__' ends in two underscores; such names are reserved for internal use. The log density is read with target() and added to with target +=.
