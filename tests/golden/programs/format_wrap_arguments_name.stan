// RUN: --auto-format %s
// WHY: below a long name
functions {
  real a_function_with_a_rather_long_name(real argument_one, real argument_two, real argument_three) {
    return 1;
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: below a long name
//| functions {
//|   real a_function_with_a_rather_long_name(
//|          real argument_one,
//|          real argument_two,
//|          real argument_three
//|        ) {
//|     return 1;
//|   }
//| }
//|
