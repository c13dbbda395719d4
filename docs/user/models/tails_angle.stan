parameters {
  vector<lower=-pi() / 2, upper=pi() / 2>[5] angle;
}
transformed parameters {
  vector[5] x = tan(angle);
}
