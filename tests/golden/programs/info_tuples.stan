// RUN: --info %s
// WHY: tuples list their slots
data { tuple(int, array[2] real) a; array[3] tuple(int, vector[2]) b; }
//|exit 0
//|stdout
//| {
//|   "inputs": {
//|     "a": {
//|       "type": [
//|         { "type": "int", "dimensions": 0 },
//|         { "type": "real", "dimensions": 1 }
//|       ],
//|       "dimensions": 0
//|     },
//|     "b": {
//|       "type": [
//|         { "type": "int", "dimensions": 0 },
//|         { "type": "real", "dimensions": 1 }
//|       ],
//|       "dimensions": 1
//|     }
//|   },
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": []
//| }
