// RUN: --include-paths=nowhere,includes %s
// WHY: several folders
data {
  #include <size.inc>
}
//|exit 0
