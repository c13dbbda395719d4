// RUN: --auto-format %s
// WHY: literals stay as written
transformed data { real a = 1e5; real b = 1.; real c = .5; int d = 1_000; complex e = 2i; real f=1E-3; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: literals stay as written
//| transformed data {
//|   real a = 1e5;
//|   real b = 1.;
//|   real c = .5;
//|   int d = 1_000;
//|   complex e = 2i;
//|   real f = 1E-3;
//| }
//|
