// RUN: --auto-format %s
// WHY: comments between blocks keep their distance
data {
}
// near
model {
}

// far

generated quantities {
}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: comments between blocks keep their distance
//| data {
//|   
//| }
//| // near
//| model {
//|   
//| }
//| // far
//|
//| generated quantities {
//|   
//| }
//|
