// RUN: --debug-parse %s
// WHY: the rules that were matched
data {
  int N;
}
model {
  target += N + 1;
}
//|exit 0
//|stdout
//| Parser: declaration
//| Parser: variable
//| Parser: int_literal
//| Parser: binary
//| Parser: target_plus
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
