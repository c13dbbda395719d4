// RUN: --auto-format %s
// WHY: the slots of a long tuple stand below each other
transformed data {
  tuple(real, real, real, real, real, real) a = (123456789.12345, 123456789.12345, 123456789.12345, 123456789.12345, 123456789.12345, 1.0);
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: the slots of a long tuple stand below each other
//| transformed data {
//|   tuple(real, real, real, real, real, real) a = (123456789.12345,
//|                                                  123456789.12345,
//|                                                  123456789.12345,
//|                                                  123456789.12345,
//|                                                  123456789.12345,
//|                                                  1.0);
//| }
//|
