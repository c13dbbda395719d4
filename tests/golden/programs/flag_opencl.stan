// RUN: --use-opencl %s
// WHY: a flag of the C++ that changes nothing else is accepted
model {}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
