// RUN: %s
// WHY: comparisons in a bound need parentheses
data {
  int n;
  real<lower=n < 2> x;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_constraint_operator.stan', line 5, column 15 to column 16, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int n;
//|      5:    real<lower=n < 2> x;
//|                         ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed constraint. Expected "," or ">" after the expression. (Comparisons, logical operators and ?: need parentheses here.) Found "<".
