// RUN: --info --include-paths=includes %s
// WHY: what the program declares and calls
data {
  #include "size.inc"
  array[n] vector[2] x;
}
parameters {
  tuple(real, simplex[3]) t;
}
model {
  x ~ multi_normal([0, 0]', identity_matrix(2));
  target += std_normal_lpdf(t.1 | );
  print(t.1);
}
//|exit 0
//|stdout
//| {
//|   "inputs": {
//|     "n": { "type": "int", "dimensions": 0 },
//|     "x": { "type": "real", "dimensions": 2 }
//|   },
//|   "parameters": {
//|     "t": {
//|       "type": [
//|         { "type": "real", "dimensions": 0 },
//|         { "type": "real", "dimensions": 1 }
//|       ],
//|       "dimensions": 0
//|     }
//|   },
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [ "identity_matrix", "print" ],
//|   "distributions": [ "multi_normal_lupdf", "std_normal_lpdf" ],
//|   "included_files": [ "includes/size.inc" ]
//| }
