// RUN: --version
// WHY: the list of distributions needs no program
model {}
//|exit 0
//|stdout
//| stanc3 v2.39.0 (Unix)
