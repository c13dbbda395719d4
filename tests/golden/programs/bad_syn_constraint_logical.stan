// RUN: %s
// WHY: a logical operator in a bound
data {
  real<lower=1 || 2> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_constraint_logical.stan', line 4, column 15 to column 17, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a logical operator in a bound
//|      3:  data {
//|      4:    real<lower=1 || 2> x;
//|                         ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "," or ">" after the expression. (Comparisons, logical operators and ?: need parentheses here.) Found "||".
