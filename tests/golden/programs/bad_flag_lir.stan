// RUN: --debug-lir %s
// WHY: a tree that does not exist is refused
model {}
//|exit 1
//|stderr
//| stanc: --debug-lir shows a tree of C++; this compiler has none, it writes the text: see --print-cpp.
