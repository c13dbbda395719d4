// RUN: %s
// WHY: the data block holds declarations only
data {
  int n;
  n = 3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_data_statement.stan', line 5, column 2 to column 3, parsing error:
//|    -------------------------------------------------
//|      3:  data {
//|      4:    int n;
//|      5:    n = 3;
//|            ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a declaration or "}". The data and parameters blocks hold declarations only, and no statements. Found identifier "n".
