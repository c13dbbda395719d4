// RUN: --print-canonical %s
// WHY: superfluous parentheses go, braces come
functions {
  real f(real x);
  real f(real x) { return (x); }
}
model {
  real a = ((1) + (2 * 3));
  if ((a > 1)) a = (2); else { if (a < 0) a = 1; }
  for (i in (1):(2)) a += (i);
}
//|exit 0
//|stdout
//| // RUN: --print-canonical %s
//| // WHY: superfluous parentheses go, braces come
//| functions {
//|   real f(real x) {
//|     return x;
//|   }
//| }
//| model {
//|   real a = 1 + (2 * 3);
//|   if (a > 1) {
//|     a = 2;
//|   } else if (a < 0) {
//|     a = 1;
//|   }
//|   for (i in 1 : 2) {
//|     a += i;
//|   }
//| }
//|
