// RUN: %s
// WHY: functions do not see the variables of the program
functions {
  real f(real a) {
    return a * scale;
  }
}
data {
  real scale;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_undeclared_function_body.stan', line 5, column 15 to column 20:
//|    -------------------------------------------------
//|      3:  functions {
//|      4:    real f(real a) {
//|      5:      return a * scale;
//|                         ^
//|      6:    }
//|      7:  }
//|    -------------------------------------------------
//|
//| Identifier 'scale' not in scope. Functions do not see the variables of the program: make it an argument.
