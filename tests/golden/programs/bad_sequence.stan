// RUN: %s
// WHY: a range where a value stands
transformed data {
  array[3] int a;
  a = 1:3;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_sequence.stan', line 5, column 7 to column 8, parsing error:
//|    -------------------------------------------------
//|      3:  transformed data {
//|      4:    array[3] int a;
//|      5:    a = 1:3;
//|                 ^
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed assignment statement. Expected ";" after the right side. Found ":". A sequence of numbers is written "linspaced_int_array(3, 1, 3)".
