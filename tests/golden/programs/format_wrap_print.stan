// RUN: --auto-format %s
// WHY: a long print
model {
  print("some text that is rather long", "and some more text that is long", "and yet some more of it");
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a long print
//| model {
//|   print("some text that is rather long", "and some more text that is long",
//|         "and yet some more of it");
//| }
//|
