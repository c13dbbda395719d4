// RUN: %s
// WHY: a range as other languages write it, which is slot 3 of a number here
model {
  for (i in 1..3)
    print(i);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_range_digits.stan', line 4, column 12 to column 16:
//|    -------------------------------------------------
//|      2:  // WHY: a range as other languages write it, which is slot 3 of a number here
//|      3:  model {
//|      4:    for (i in 1..3)
//|                      ^
//|      5:      print(i);
//|      6:  }
//|    -------------------------------------------------
//|
//| Only a tuple has slots; this expression has type real. A range is written "1:3".
