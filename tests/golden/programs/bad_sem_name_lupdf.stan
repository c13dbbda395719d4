// RUN: %s
// WHY: the endings of unnormalised densities are taken
functions {
  real f_lupdf(real a) {
    return 1;
  }
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_lupdf.stan', line 4, column 7 to column 14:
//|    -------------------------------------------------
//|      2:  // WHY: the endings of unnormalised densities are taken
//|      3:  functions {
//|      4:    real f_lupdf(real a) {
//|                 ^
//|      5:      return 1;
//|      6:    }
//|    -------------------------------------------------
//|
//| Identifier 'f_lupdf' ends in '_lupdf', which only names the unnormalised form of a density function.
