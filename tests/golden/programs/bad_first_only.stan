// RUN: %s
// WHY: without the flag the first error ends it
model {
  print(unknown);
  break;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_first_only.stan', line 4, column 8 to column 15:
//|    -------------------------------------------------
//|      2:  // WHY: without the flag the first error ends it
//|      3:  model {
//|      4:    print(unknown);
//|                  ^
//|      5:    break;
//|      6:  }
//|    -------------------------------------------------
//|
//| Identifier 'unknown' not in scope.
