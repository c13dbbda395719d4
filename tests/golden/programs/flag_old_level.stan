// RUN: --O %s
// WHY: the old spelling of --O1
model {}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
