// RUN: --auto-format %s
// WHY: target and jacobian
transformed parameters { jacobian+=1; }
model { target+=2; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: target and jacobian
//| transformed parameters {
//|   jacobian += 1;
//| }
//| model {
//|   target += 2;
//| }
//|
