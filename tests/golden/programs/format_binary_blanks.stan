// RUN: --auto-format %s
// WHY: blanks round binary operators
transformed data { real a=1+2*3-4/5.0; int b=7%/%2%3; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: blanks round binary operators
//| transformed data {
//|   real a = 1 + 2 * 3 - 4 / 5.0;
//|   int b = 7 %/% 2 % 3;
//| }
//|
