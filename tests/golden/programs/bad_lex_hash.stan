// RUN: --strict %s
// WHY: the comments of old
model {
  # old
}
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_hash.stan', line 4, column 2 to column 3, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: the comments of old
//|      3:  model {
//|      4:    # old
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Invalid character found. A comment begins with "//".
