// RUN: --warn-pedantic=json %s
// WHY: errors and warnings in one array
parameters {
  real p;
}
model {
  int k = p;
}
//|exit 1
//|stdout
//| [
//|   {"file": "bad_pedantic_json.stan", "line": 7, "column": 2, "end_line": 7, "end_column": 12, "severity": "error", "message": "Ill-typed arguments supplied to assignment operator =: lhs has type int and rhs has type real\nAn int cannot follow parameters, which are continuous. Sum a discrete unknown out of the density (log_sum_exp, log_mix), or draw it in generated quantities."}
//| ]
