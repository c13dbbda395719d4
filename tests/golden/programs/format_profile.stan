// RUN: --auto-format %s
// WHY: a profile
model {
  profile("name") { print(1); }
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: a profile
//| model {
//|   profile("name") {
//|     print(1);
//|   }
//| }
//|
