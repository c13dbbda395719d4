// RUN: -I nowhere -Iincludes %s
// WHY: folders add up
data {
  #include <size.inc>
}
//|exit 0
