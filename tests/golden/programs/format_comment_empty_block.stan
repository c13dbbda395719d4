// RUN: --auto-format %s
// WHY: a block of comments only
model {
  // nothing to do
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a block of comments only
//| model {
//|   // nothing to do
//| }
//|
