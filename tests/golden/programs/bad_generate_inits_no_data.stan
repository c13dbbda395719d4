// RUN: --debug-generate-inits %s
// WHY: initial values must suit data that are there; none are made up
data { int N; }
parameters { vector[N + 1] a; }
//|exit 1
//|stderr
//| Error in 'bad_generate_inits_no_data.stan', line 4, column 20 to column 25:
//|   Cannot evaluate this expression: 'N' has no value.
//|   Values it needs can be given with --debug-data-file.
