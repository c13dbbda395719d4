// RUN: --auto-format --canonicalize=deprecations %s
// WHY: conditions that are real numbers are compared with 0
data { real x; int n; }
model {
  if (x) print(x);
  while (n > 1 && x + 1) break;
  if (!x || n) print(n);
  if (n > 1 ? x : 2.5) print(n);
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=deprecations %s
//| // WHY: conditions that are real numbers are compared with 0
//| data {
//|   real x;
//|   int n;
//| }
//| model {
//|   if (x != 0.0) 
//|     print(x);
//|   while (n > 1 && (x + 1 != 0.0)) break;
//|   if (!(x != 0.0) || n) 
//|     print(n);
//|   if ((n > 1 ? x : 2.5) != 0.0) 
//|     print(n);
//| }
//|
