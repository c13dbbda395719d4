// RUN: --all-errors %s
// WHY: the parser goes on behind a statement that is wrong
data {
  int N
  int M;
  real 3;
}
model {
  x = ;
  if (1 {
    y = 2;
  }
  print(1;
  {
    a b;
    c = 1 +;
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_all_syntax.stan', line 5, column 2 to column 5, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int N
//|      5:    int M;
//|            ^
//|      6:    real 3;
//|      7:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected "," or ";" after a declared variable. Found "int". A ";" may be missing at the end of line 4.
//| Syntax error in 'bad_all_syntax.stan', line 6, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|      4:    int N
//|      5:    int M;
//|      6:    real 3;
//|                 ^
//|      7:  }
//|      8:  model {
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected a variable name. Found integer literal "3".
//| Syntax error in 'bad_all_syntax.stan', line 9, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      7:  }
//|      8:  model {
//|      9:    x = ;
//|                ^
//|     10:    if (1 {
//|     11:      y = 2;
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
//| Syntax error in 'bad_all_syntax.stan', line 10, column 8 to column 9, parsing error:
//|    -------------------------------------------------
//|      8:  model {
//|      9:    x = ;
//|     10:    if (1 {
//|                  ^
//|     11:      y = 2;
//|     12:    }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected ")" after the condition. Found "{". The "(" in line 10, column 5 is not closed.
//| Syntax error in 'bad_all_syntax.stan', line 13, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|     11:      y = 2;
//|     12:    }
//|     13:    print(1;
//|                   ^
//|     14:    {
//|     15:      a b;
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "," or ")" after an item. Found ";". The "(" in line 13, column 7 is not closed.
//| Syntax error in 'bad_all_syntax.stan', line 15, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|     13:    print(1;
//|     14:    {
//|     15:      a b;
//|                ^
//|     16:      c = 1 +;
//|     17:    }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "=", an operator followed by "=", or "~" after the expression; a call of a void function ends with ";". Found identifier "b". An operator may be missing between "a" and "b".
//| Syntax error in 'bad_all_syntax.stan', line 16, column 11 to column 12, parsing error:
//|    -------------------------------------------------
//|     14:    {
//|     15:      a b;
//|     16:      c = 1 +;
//|                     ^
//|     17:    }
//|     18:  }
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
