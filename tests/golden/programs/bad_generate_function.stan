// RUN: --debug-generate-data %s
// WHY: own functions are not run
functions { int f() { return 3; } }
data { vector[f()] a; }
//|exit 1
//|stderr
//| Error in 'bad_generate_function.stan', line 4, column 14 to column 17:
//|   Cannot evaluate this expression without running the program.
//|   Values it needs can be given with --debug-data-file.
