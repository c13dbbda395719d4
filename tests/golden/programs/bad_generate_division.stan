// RUN: --debug-generate-data %s
// WHY: division by zero
data { int<lower=0, upper=0> N; vector[3 %/% (N - N)] a; }
//|exit 1
//|stderr
//| Error in 'bad_generate_division.stan', line 3, column 39 to column 52:
//|   Integer division by zero.
//|   Values it needs can be given with --debug-data-file.
