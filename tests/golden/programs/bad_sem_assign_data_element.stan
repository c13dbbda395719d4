// RUN: %s
// WHY: not even an element
data {
  vector[2] x;
}
model {
  x[1] = 1;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_assign_data_element.stan', line 7, column 2 to column 3:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    x[1] = 1;
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Cannot assign to 'x': it is declared in data and cannot be changed.
