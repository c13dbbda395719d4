// RUN: --debug-generate-data %s
// WHY: an index that is out of range
data { array[2] int N; vector[N[3]] a; }
//|exit 1
//|stderr
//| Error in 'bad_generate_index.stan', line 3, column 32 to column 33:
//|   This index is out of range.
//|   Values it needs can be given with --debug-data-file.
