// RUN: - --auto-format <%s
// WHY: a program can come from standard input
parameters {real y;}
//|exit 0
//|stdout
//| // RUN: - --auto-format <%s
//| // WHY: a program can come from standard input
//| parameters {
//|   real y;
//| }
//|
