parameters {
  vector[5] x;
}
model {
  x ~ cauchy(0, 1);
}
