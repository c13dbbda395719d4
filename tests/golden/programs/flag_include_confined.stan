// RUN: --include-confined --include-paths=includes %s
// WHY: what lies inside is included
data {
  #include <size.inc>
}
//|exit 1
//|stderr
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
