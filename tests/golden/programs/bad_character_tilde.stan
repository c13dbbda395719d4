// RUN: %s
// WHY: an operator that looks like a tilde
parameters {
  real a;
}
model {
  a ∼ normal(0, 1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_character_tilde.stan', line 7, column 4 to column 5, lexing error:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    a ∼ normal(0, 1);
//|              ^
//|      8:  }
//|    -------------------------------------------------
//|
//| Invalid character found. It is written "~".
