// RUN: nothing.stan
// WHY: a program that is not there
model {}
//|exit 1
//|stderr
//| Error: file 'nothing.stan' not found or cannot be opened
