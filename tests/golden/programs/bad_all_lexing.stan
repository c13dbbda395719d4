// RUN: --all-errors %s
// WHY: an invalid character ends the parse
model {
  x = ;
  y = 1 $ 2;
  z = ;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_lexing.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: an invalid character ends the parse
//|      3:  model {
//|      4:    x = ;
//|                ^
//|      5:    y = 1 $ 2;
//|      6:    z = ;
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
//| Syntax error in 'bad_all_lexing.stan', line 5, column 8 to column 9, lexing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    x = ;
//|      5:    y = 1 $ 2;
//|                  ^
//|      6:    z = ;
//|      7:  }
//|    -------------------------------------------------
//|
//| Invalid character found.
//| Syntax error in 'bad_all_lexing.stan', line 6, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      4:    x = ;
//|      5:    y = 1 $ 2;
//|      6:    z = ;
//|                ^
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
