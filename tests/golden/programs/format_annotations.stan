// RUN: --auto-format %s
// WHY: annotations stand on lines of their own
functions { @inline(always, yes) real f(real x) { return x; } }
transformed data { @silence real a, b; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: annotations stand on lines of their own
//| functions {
//|   @inline(always, yes)
//|   real f(real x) {
//|     return x;
//|   }
//| }
//| transformed data {
//|   @silence
//|   real a, b;
//| }
//|
//|stderr
//| Warning in 'format_annotations.stan', line 4, column 19 to column 27:
//|     Annotation '@silence' is unknown and ignored. Known are @inline, @likely,
//|     @unlikely, @const, @gpu, @extern, @grad_adj_jac.
//|
