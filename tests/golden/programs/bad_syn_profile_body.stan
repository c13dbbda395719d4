// RUN: %s
// WHY: a profile without braces
model {
  profile("a") print(1);
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_profile_body.stan', line 4, column 15 to column 20, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a profile without braces
//|      3:  model {
//|      4:    profile("a") print(1);
//|                         ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected "{". Found "print".
