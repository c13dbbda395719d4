// RUN: --strict %s
// WHY: with --strict a comma is an error
model {
  print(normal_cdf(1, 2, 3));
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_cdf.stan', line 4, column 8 to column 27:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict a comma is an error
//|      3:  model {
//|      4:    print(normal_cdf(1, 2, 3));
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Function 'normal_cdf' is conditional: write a vertical bar instead of the comma after the first argument.
