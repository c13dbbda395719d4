// RUN: --name=other %s
// WHY: the model's own name is reserved, and --name changes it
data {
  real name_clash_allowed_model;
}
//|exit 0
