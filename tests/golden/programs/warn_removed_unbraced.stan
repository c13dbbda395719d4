// RUN: %s
// WHY: a function body without braces
functions {
  real f(real x) return x;
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_unbraced.stan', line 4, column 17 to column 23:
//|     The body of a function without braces was removed from the language. Put
//|     it between { and }.
//|
