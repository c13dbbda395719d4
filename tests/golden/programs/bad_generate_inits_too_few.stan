// RUN: --debug-generate-inits --debug-data-file=includes/slots.json %s
// WHY: the data file lacks a value that a size needs
data { int N; int K; }
parameters { vector[N + K] a; }
//|exit 1
//|stderr
//| Error in 'bad_generate_inits_too_few.stan', line 4, column 20 to column 25:
//|   Cannot evaluate this expression: 'K' has no value.
