// RUN: --name=bar %s
// WHY: the name of the model may be given
model { real foo; }
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
