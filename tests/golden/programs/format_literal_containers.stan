// RUN: --auto-format %s
// WHY: array, row, matrix and tuple literals
transformed data { array[2] int a={1,2}; row_vector[2] b=[1,2]; matrix[2,2] c=[[1,2],[3,4]]; tuple(int,) d=(1,); }
//|exit 0
//|stdout
//| // RUN: --auto-format %s
//| // WHY: array, row, matrix and tuple literals
//| transformed data {
//|   array[2] int a = {1, 2};
//|   row_vector[2] b = [1, 2];
//|   matrix[2, 2] c = [[1, 2], [3, 4]];
//|   tuple(int,) d = (1,);
//| }
//|
