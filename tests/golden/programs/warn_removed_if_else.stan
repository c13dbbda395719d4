// RUN: %s
// WHY: a function that was an operator
transformed data {
  real a = if_else(1 > 2, 3, 4);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_if_else.stan', line 4, column 11 to column 18:
//|     'if_else' was removed from the language. Write the operator '? :'
//|     instead.
//|
