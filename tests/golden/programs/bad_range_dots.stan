// RUN: %s
// WHY: a range as other languages write it
data {
  int N;
}
model {
  for (i in 1..N)
    print(i);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_range_dots.stan', line 7, column 14 to column 15, lexing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    for (i in 1..N)
//|                        ^
//|      8:      print(i);
//|      9:  }
//|    -------------------------------------------------
//|
//| Invalid character found. A range is written "1:N".
