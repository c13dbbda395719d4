// RUN: --auto-format %s
// WHY: distribution statements and truncation
parameters { real y; }
model { y~normal(0,1); y~normal(0,1)T[0,]; y~normal(0,1) T[,1]; y~normal(0,1)T[0,1]; y~normal(0,1)T[,]; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: distribution statements and truncation
//| parameters {
//|   real y;
//| }
//| model {
//|   y ~ normal(0, 1);
//|   y ~ normal(0, 1) T[0, ];
//|   y ~ normal(0, 1) T[ , 1];
//|   y ~ normal(0, 1) T[0, 1];
//|   y ~ normal(0, 1);
//| }
//|
