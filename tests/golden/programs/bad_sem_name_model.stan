// RUN: --name=thing %s
// WHY: a variable with the name of the model
data {
  int thing;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_name_model.stan', line 4, column 6 to column 11:
//|    -------------------------------------------------
//|      2:  // WHY: a variable with the name of the model
//|      3:  data {
//|      4:    int thing;
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Identifier 'thing' is the name of the model and cannot be used inside it.
