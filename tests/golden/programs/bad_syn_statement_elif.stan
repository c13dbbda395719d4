// RUN: %s
// WHY: elif of other languages
model {
  if (1) {
  } elif (2) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_statement_elif.stan', line 5, column 13 to column 14, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    if (1) {
//|      5:    } elif (2) {
//|                       ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. "elif" is no keyword: write "else if".
