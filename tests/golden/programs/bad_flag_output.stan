// RUN: --auto-format -o nowhere/out.stan %s
// WHY: a file that cannot be written
model {}
//|exit 1
//|stderr
//| Error writing to file 'nowhere/out.stan': No such file or directory
