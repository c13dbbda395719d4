// RUN: --O %s
// WHY: the old spelling of --O1
model {}
//|exit 0
