// RUN: --use-opencl %s
// WHY: what is not there yet is refused
model {}
//|exit 1
//|stderr
//| stanc: --use-opencl comes with a later version.
