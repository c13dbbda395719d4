// RUN: --debug-lir %s
// WHY: what is not there yet is refused
model {}
//|exit 1
//|stderr
//| stanc: the program is fine, but --debug-lir comes with a later version.
