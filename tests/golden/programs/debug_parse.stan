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
