// RUN: --include-paths=includes,elsewhere %s
// WHY: a missing include lists the folders searched
data {
  #include nowhere.inc
}
//|exit 1
//|stderr
//| Syntax error in 'bad_include_missing.stan', line 4, column 2 to column 22, include error:
//|    -------------------------------------------------
//|      2:  // WHY: a missing include lists the folders searched
//|      3:  data {
//|      4:    #include nowhere.inc
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Could not find include file 'nowhere.inc' in the include paths: includes, elsewhere
