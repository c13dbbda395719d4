// RUN: --auto-format %s
// WHY: one per line if they are many
functions {
  real f(real argument_1, real argument_2, real argument_3, real argument_4, real argument_5, real argument_6, real argument_7, real argument_8) {
    return 1;
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: one per line if they are many
//| functions {
//|   real f(real argument_1,
//|          real argument_2,
//|          real argument_3,
//|          real argument_4,
//|          real argument_5,
//|          real argument_6,
//|          real argument_7,
//|          real argument_8) {
//|     return 1;
//|   }
//| }
//|
