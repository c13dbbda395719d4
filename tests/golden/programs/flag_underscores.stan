// RUN: --include_paths=includes %s
// WHY: underscores for hyphens
data {
  #include <size.inc>
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
