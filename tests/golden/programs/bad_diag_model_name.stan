// RUN: %s
// WHY: a name that is the model's
transformed data { real bad_diag_model_name_model = 1; }
//|exit 1
//|stderr
//| Semantic error in 'bad_diag_model_name.stan', line 3, column 24 to column 49:
//|    -------------------------------------------------
//|      1:  // RUN: %s
//|      2:  // WHY: a name that is the model's
//|      3:  transformed data { real bad_diag_model_name_model = 1; }
//|                                  ^
//|    -------------------------------------------------
//|
//| Identifier 'bad_diag_model_name_model' is the name of the model and cannot be used inside it.
