// RUN: --auto-format %s
// WHY: annotations have lines of their own
parameters {
  @keep(1, 2) real a;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: annotations have lines of their own
//| parameters {
//|   @keep(1, 2)
//|   real a;
//| }
//|
