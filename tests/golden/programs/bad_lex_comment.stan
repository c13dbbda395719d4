// RUN: %s
// WHY: a comment that is not closed
model {
}
/* open
//|exit 1
//|stderr
//| Syntax error in 'bad_lex_comment.stan', line 6, column 0, lexing error:
//|    -------------------------------------------------
//|      4:  }
//|      5:  /* open
//|      6:  
//|          ^ (error at end of file)
//|    -------------------------------------------------
//|
//| Unexpected end of input in a block comment: "*/" is missing.
