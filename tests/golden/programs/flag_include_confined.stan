// RUN: --include-confined --include-paths=includes %s
// WHY: what lies inside is included
data {
  #include <size.inc>
}
//|exit 0
