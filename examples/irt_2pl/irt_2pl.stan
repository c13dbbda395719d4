// Five questions of the Law School Admission Test answered by 1000 people: ability of each person, difficulty and
// discrimination of each question.
data {
  int<lower=1> I;
  int<lower=1> J;
  array[I, J] int<lower=0, upper=1> y;
}
parameters {
  vector[J] theta;
  vector[I] difficulty;
  vector<lower=0>[I] discrimination;
}
model {
  theta ~ std_normal();
  difficulty ~ normal(0, 3);
  discrimination ~ lognormal(0, 0.5);
  for (i in 1 : I) {
    y[i] ~ bernoulli_logit(discrimination[i] * (theta - difficulty[i]));
  }
}
