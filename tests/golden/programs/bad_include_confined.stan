// RUN: --include-confined --include-paths=includes %s
// WHY: a name that leads out of its folder
data {
  #include <../bad_include_confined.stan>
}
//|exit 1
//|stderr
//| Syntax error in 'bad_include_confined.stan', line 4, column 2 to column 41, include error:
//|    -------------------------------------------------
//|      2:  // WHY: a name that leads out of its folder
//|      3:  data {
//|      4:    #include <../bad_include_confined.stan>
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The include file '../bad_include_confined.stan' lies outside the include path 'includes'.
