// RUN: --auto-format %s
// WHY: parentheses stay without asking
transformed data { real a = ((1)+(2)); }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: parentheses stay without asking
//| transformed data {
//|   real a = ((1) + (2));
//| }
//|
