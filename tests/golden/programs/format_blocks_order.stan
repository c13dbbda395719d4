// RUN: --auto-format %s
// WHY: every block, none with content
functions {}
data {}
transformed data {}
parameters {}
transformed parameters {}
model {}
generated quantities {}
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: every block, none with content
//| functions {
//|   
//| }
//| data {
//|   
//| }
//| transformed data {
//|   
//| }
//| parameters {
//|   
//| }
//| transformed parameters {
//|   
//| }
//| model {
//|   
//| }
//| generated quantities {
//|   
//| }
//|
