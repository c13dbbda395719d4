// RUN: --no-include --include-paths=includes %s
// WHY: text from strangers reads no files
data {
  #include <size.inc>
}
//|exit 1
//|stderr
//| Syntax error in 'bad_include_switched_off.stan', line 4, column 2 to column 21, include error:
//|    -------------------------------------------------
//|      2:  // WHY: text from strangers reads no files
//|      3:  data {
//|      4:    #include <size.inc>
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Includes are switched off: include file 'size.inc' is not read.
