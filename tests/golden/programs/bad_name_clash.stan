// RUN: %s
// WHY: the model's own name is reserved
data {
  real bad_name_clash_model;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_name_clash.stan', line 4, column 7 to column 27:
//|    -------------------------------------------------
//|      2:  // WHY: the model's own name is reserved
//|      3:  data {
//|      4:    real bad_name_clash_model;
//|                 ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'bad_name_clash_model' is the name of the model and cannot be used inside it.
