// RUN: --debug-generate-data %s
// WHY: a program without data
model {}
//|exit 0
//|stdout
//| {}
