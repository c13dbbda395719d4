// RUN: %s
// WHY: overloads that differ in data alone
functions { real f(data real x) { return x; } real f(real x) { return x; } }
//|exit 1
//|stderr
//| Semantic error in 'bad_diag_overload_by_data.stan', line 3, column 46 to column 74:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: overloads that differ in data alone
//|      3:  functions { real f(data real x) { return x; } real f(real x) { return x; } }
//|                                                        ^
//|    -------------------------------------------------
//|
//| Two functions 'f' differ only in which arguments are marked data; that does not tell their calls apart.
