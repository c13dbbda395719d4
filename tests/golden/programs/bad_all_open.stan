// RUN: --all-errors %s
// WHY: a brace that is not closed
model {
  x = ;
  {
//|exit 1
//|stderr
//| Syntax error in 'bad_all_open.stan', line 4, column 6 to column 7, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a brace that is not closed
//|      3:  model {
//|      4:    x = ;
//|                ^
//|      5:    {
//|    -------------------------------------------------
//|
//| Ill-formed expression. Expected an expression. Found ";".
//| Syntax error in 'bad_all_open.stan', line 6, column 0, parsing error:
//|    -------------------------------------------------
//|      4:    x = ;
//|      5:    {
//|      6:  
//|          ^ (error at end of file)
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a statement, a declaration or "}". Found end of input. The "{" in line 5 is not closed.
