// RUN: --auto-format --o=out.stan %s
// WHY: the old spelling of -o
model {}
//|exit 0
