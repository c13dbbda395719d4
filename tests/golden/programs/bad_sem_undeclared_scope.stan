// RUN: %s
// WHY: a variable ends with its block
model {
  {
    real inner;
  }
  print(inner);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_scope.stan', line 7, column 8 to column 13:
//|    -------------------------------------------------
//|      5:      real inner;
//|      6:    }
//|      7:    print(inner);
//|                  ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Identifier 'inner' not in scope.
