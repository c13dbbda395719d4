data {
  int n;
  real x;
  array[3] int counts;
  vector[2] v;
  matrix[2, 3] m;
  array[2] vector[3] rows;
  complex z;
  tuple(int, real) pair;
  array[0] real none;
}
generated quantities {
  real corner = m[2, 1];
  print(n, " ", x, " ", counts, " ", v, " ", m, " ", rows, " ", z, " ", pair, " ", none);
}
