// RUN: --info %s
// WHY: dimensions count
data { vector[2] a; row_vector[2] b; matrix[2,3] c; array[2,3] real d; array[2] matrix[2,2] e; complex_matrix[1,1] f; }
//|exit 0
//|stdout
//| {
//|   "inputs": {
//|     "a": { "type": "real", "dimensions": 1 },
//|     "b": { "type": "real", "dimensions": 1 },
//|     "c": { "type": "real", "dimensions": 2 },
//|     "d": { "type": "real", "dimensions": 2 },
//|     "e": { "type": "real", "dimensions": 3 },
//|     "f": { "type": "complex", "dimensions": 2 }
//|   },
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": []
//| }
