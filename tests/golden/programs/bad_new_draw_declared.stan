// RUN: %s
// WHY: drawing a value with ~ where it is declared
parameters {
  real x;
}
generated quantities {
  real z ~ student_t(4, x, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_new_draw_declared.stan', line 7, column 9 to column 10, parsing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  generated quantities {
//|      7:    real z ~ student_t(4, x, 1);
//|                   ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected "=", "," or ";" after a declared variable. Found "~". A "~" statement draws nothing; in transformed data and generated quantities a random value is drawn with "= student_t_rng(...)".
