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
//|stderr
//| Warning in 'format_annotations_program.stan', line 4, column 2 to column 13:
//|     Annotation '@keep' is unknown and ignored. Known are @inline, @likely,
//|     @unlikely, @const, @gpu, @extern, @grad_adj_jac.
//|
