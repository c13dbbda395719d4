// RUN: --print-cpp %s
// WHY: what is not there yet is refused
model {}
//|exit 1
//|stderr
//| stanc: the program is fine, but --print-cpp comes with a later version.
