// RUN: --auto-format %s
// WHY: calls with commas and bars
model { target += normal_lpdf(1|0,1)+std_normal_lpdf(1); print(pow(2,3)); }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: calls with commas and bars
//| model {
//|   target += normal_lpdf(1 | 0, 1) + std_normal_lpdf(1);
//|   print(pow(2, 3));
//| }
//|
