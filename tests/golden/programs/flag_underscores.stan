// RUN: --include_paths=includes %s
// WHY: underscores for hyphens
data {
  #include <size.inc>
}
//|exit 0
