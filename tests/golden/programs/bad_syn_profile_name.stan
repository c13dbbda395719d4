// RUN: %s
// WHY: a profile without a string
model {
  profile(a) {
  }
}
//|exit 1
//|stderr
//| Syntax error in 'bad_syn_profile_name.stan', line 4, column 10 to column 11, parsing error:
//|    -------------------------------------------------
//|      2:  // WHY: a profile without a string
//|      3:  model {
//|      4:    profile(a) {
//|                    ^
//|      5:    }
//|      6:  }
//|    -------------------------------------------------
//|
//| Ill-formed statement. Expected a string that names the profile. Found identifier "a".
