// RUN: %s
// WHY: an annotation in front of a statement is a stray character
model {
  @fast target += 1;
}
//|exit 1
//|stderr
//| Syntax error in 'bad_annotation_place.stan', line 4, column 2 to column 3, lexing error:
//|    -------------------------------------------------
//|      2:  // WHY: an annotation in front of a statement is a stray character
//|      3:  model {
//|      4:    @fast target += 1;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Annotation '@fast' has no place here: annotations belong before the declaration of a variable or a function.
