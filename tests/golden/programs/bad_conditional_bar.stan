// RUN: %s
// WHY: a density is called with a bar
model {
  target += normal_lpdf(1, 0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_conditional_bar.stan', line 4, column 12 to column 32:
//|    -------------------------------------------------
//|      2:  // WHY: a density is called with a bar
//|      3:  model {
//|      4:    target += normal_lpdf(1, 0, 1);
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Function 'normal_lpdf' is conditional: write a vertical bar instead of the comma after the first argument.
