// RUN: --auto-format %s
// WHY: prefix and postfix operators are tight
transformed data { real a=- 1; int b = ! 0; matrix[1,1] c = [[ 1 ]] '; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: prefix and postfix operators are tight
//| transformed data {
//|   real a = -1;
//|   int b = !0;
//|   matrix[1, 1] c = [[1]]';
//| }
//|
