// RUN: --auto-format -o out.stan %s
// WHY: the formatted program can go to a file
model { print(1); }
//|exit 0
