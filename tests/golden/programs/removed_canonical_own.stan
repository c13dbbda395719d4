// RUN: --auto-format --canonicalize=deprecations %s
// WHY: an own density is renamed with all its uses
functions {
  real f_log(int y, real a) {
    return a;
  }
}
model {
  1 ~ f(1);
  target += f_log(1, 2);
}
//|exit 0
//|stdout
//| // RUN: --auto-format --canonicalize=deprecations %s
//| // WHY: an own density is renamed with all its uses
//| functions {
//|   real f_lpmf(int y, real a) {
//|     return a;
//|   }
//| }
//| model {
//|   1 ~ f(1);
//|   target += f_lpmf(1 | 2);
//| }
//|
