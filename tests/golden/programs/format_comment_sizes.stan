// RUN: --auto-format %s
// WHY: a comment behind the last size moves to the name
data {
  int N;
  array[N /* size */] real a;
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a comment behind the last size moves to the name
//| data {
//|   int N;
//|   array[N] real /* size */ a;
//| }
//|
