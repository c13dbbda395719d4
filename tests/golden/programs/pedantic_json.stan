// RUN: --warn-pedantic=json %s
// WHY: warnings for editors, on standard output
parameters {
  real p;
  real q;
}
model {
  p ~ normal(0, 1000);
}
//|exit 0
//|stdout
//| [
//|   {"file": "pedantic_json.stan", "line": 5, "column": 2, "end_line": 5, "end_column": 9, "severity": "warning", "message": "The parameter q was declared but was not used in the density calculation."},
//|   {"file": "pedantic_json.stan", "line": 8, "column": 16, "end_line": 8, "end_column": 20, "severity": "warning", "message": "Argument 1000 suggests there may be parameters that are not unit scale; consider rescaling with a multiplier."}
//| ]
