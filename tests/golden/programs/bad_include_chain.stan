// RUN: --include-paths=includes %s
// WHY: an error inside an include names the places it came through
data {
  #include wrong.inc
}
//|exit 1
//|stderr
//| Semantic error in 'includes/wrong.inc', line 2, column 5, included from
//| 'bad_include_chain.stan', line 4, column 2:
//|    -------------------------------------------------
//|      1:  int n;
//|      2:  real n;
//|               ^
//|    -------------------------------------------------
//|
//| Identifier 'n' is already in use.
