// RUN: --auto-format %s
// WHY: arguments are packed if they are few
functions {
  real some_function(real argument_one, real argument_two, real argument_three, real argument_four) {
    return 1;
  }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: arguments are packed if they are few
//| functions {
//|   real some_function(real argument_one, real argument_two,
//|                      real argument_three, real argument_four) {
//|     return 1;
//|   }
//| }
//|
