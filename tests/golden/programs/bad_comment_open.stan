// RUN: %s
// WHY: an unterminated block comment is reported at the end of the file
model {
  /* open
}
//|exit 1
//|stderr
//| Syntax error in 'bad_comment_open.stan', line 6, column 0, lexing error:
//|    -------------------------------------------------
//|      4:    /* open
//|      5:  }
//|      6:  
//|          ^ (error at end of file)
//|    -------------------------------------------------
//|
//| Unexpected end of input in a block comment: "*/" is missing.
