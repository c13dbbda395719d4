// RUN: %s
// WHY: a missing brace is reported at the end of the file
model {
  real x;
//|exit 1
//|stderr
//| Syntax error in 'bad_end_of_file.stan', line 5, column 0, parsing error:
//|    -------------------------------------------------
//|      3:  model {
//|      4:    real x;
//|      5:  
//|          ^ (error at end of file)
//|    -------------------------------------------------
//|
//| Ill-formed block. Expected a statement, a declaration or "}". Found end of input. The "{" in line 3 is not closed.
