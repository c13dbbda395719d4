// RUN: - <%s
// WHY: the file is then called stdin
parameters {real y}
//|exit 1
//|stderr
//| Syntax error in 'stdin', line 3, column 18 to column 19, parsing error:
//|    -------------------------------------------------
//|      1:  // RUN: - <%s
//|      2:  // WHY: the file is then called stdin
//|      3:  parameters {real y}
//|                            ^
//|    -------------------------------------------------
//|
//| Ill-formed declaration. Expected "," or ";" after a declared variable. Found "}".
