// RUN: --auto-format --canonicalize=parentheses %s
// WHY: parentheses that do nothing go
transformed data { real a = ((1+(2))); real b = (1+2)*3; real c = -(1); }
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=parentheses %s
//| // WHY: parentheses that do nothing go
//| transformed data {
//|   real a = 1 + 2;
//|   real b = (1 + 2) * 3;
//|   real c = -1;
//| }
//|
