// RUN: --allow-undefined %s
// WHY: external functions
functions { real f(real a); }
model { target += f(1); }
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
