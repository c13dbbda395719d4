// RUN: --all-errors %s
// WHY: every mistake is reported once
data {
  int N;
}
model {
  print(unknown);
  print(unknown + 1);
  N = 2;
  real a = [1, 2];
  break;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_all_semantic.stan', line 7, column 8 to column 15:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    print(unknown);
//|                  ^
//|      8:    print(unknown + 1);
//|      9:    N = 2;
//|    -------------------------------------------------
//|
//| Identifier 'unknown' not in scope.
//| Semantic error in 'bad_all_semantic.stan', line 9, column 2 to column 3:
//|    -------------------------------------------------
//|      7:    print(unknown);
//|      8:    print(unknown + 1);
//|      9:    N = 2;
//|            ^
//|     10:    real a = [1, 2];
//|     11:    break;
//|    -------------------------------------------------
//|
//| Cannot assign to 'N': it is declared in data and cannot be changed.
//| Semantic error in 'bad_all_semantic.stan', line 10, column 2 to column 18:
//|    -------------------------------------------------
//|      8:    print(unknown + 1);
//|      9:    N = 2;
//|     10:    real a = [1, 2];
//|            ^
//|     11:    break;
//|     12:  }
//|    -------------------------------------------------
//|
//| Ill-typed arguments supplied to assignment operator =: lhs has type real and rhs has type row_vector
//| Semantic error in 'bad_all_semantic.stan', line 11, column 2 to column 8:
//|    -------------------------------------------------
//|      9:    N = 2;
//|     10:    real a = [1, 2];
//|     11:    break;
//|            ^
//|     12:  }
//|    -------------------------------------------------
//|
//| 'break' only makes sense inside a loop.
