// RUN: --auto-format %s
// WHY: slots of tuples
transformed data { tuple(int,tuple(real,int)) a=(1,(2.0,3)); real b=a.2.1; }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: slots of tuples
//| transformed data {
//|   tuple(int, tuple(real, int)) a = (1, (2.0, 3));
//|   real b = a.2.1;
//| }
//|
