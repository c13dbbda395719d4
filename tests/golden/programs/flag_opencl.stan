// RUN: --use-opencl %s
// WHY: a flag of the C++ that changes nothing else is accepted
model {}
//|exit 0
