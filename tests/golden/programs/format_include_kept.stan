// RUN: --auto-format -I includes %s
// WHY: a directive stays, its contents do not show
data {
  #include <size.inc>
  real x;
}
//|exit 0
//|stdout
//| // RUN: --auto-format -I includes %s
//| // WHY: a directive stays, its contents do not show
//| data {
//|   #include size.inc
//|   real x;
//| }
//|
