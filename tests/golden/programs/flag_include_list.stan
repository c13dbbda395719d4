// RUN: --include-paths=nowhere,includes %s
// WHY: several folders
data {
  #include <size.inc>
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
