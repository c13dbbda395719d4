// RUN: --name=other %s
// WHY: the model's own name is reserved, and --name changes it
data {
  real name_clash_allowed_model;
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
