// RUN: --all-errors --strict %s
// WHY: an include that is missing, a stray character and an old comment are one mistake each
#include missing.stan
model {
  x = 1 $$ 2;
  y = "no end;
  # an old comment with ; and }
  z = 1 & 2;
  w = ;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_includes.stan', line 3, column 0 to column 21, include error:
//|    -------------------------------------------------
//|      1:  // RUN: --all-errors --strict %s
//|      2:  // WHY: an include that is missing, a stray character and an old comment are one mistake each
//|      3:  #include missing.stan
//|          ^
//|      4:  model {
//|      5:    x = 1 $$ 2;
//|    -------------------------------------------------
//|
//| Could not find include file 'missing.stan' in the include paths: None
//| Syntax error in 'bad_all_includes.stan', line 5, column 8 to column 9, lexing error:
//|    -------------------------------------------------
//|      3:  #include missing.stan
//|      4:  model {
//|      5:    x = 1 $$ 2;
//|                  ^
//|      6:    y = "no end;
//|      7:    # an old comment with ; and }
//|    -------------------------------------------------
//|
//| Invalid character found.
//| Syntax error in 'bad_all_includes.stan', line 6, column 6 to column 7, lexing error:
//|    -------------------------------------------------
//|      4:  model {
//|      5:    x = 1 $$ 2;
//|      6:    y = "no end;
//|                ^
//|      7:    # an old comment with ; and }
//|      8:    z = 1 & 2;
//|    -------------------------------------------------
//|
//| Invalid character found. A string ends on the line on which it begins, with '"'.
//| Syntax error in 'bad_all_includes.stan', line 9, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      7:    # an old comment with ; and }
//|      8:    z = 1 & 2;
//|      9:    w = ;
//|                ^
//|     10:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
