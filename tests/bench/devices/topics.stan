// Topics of words, as latent Dirichlet allocation sums over them: 10 topics, 4000 documents, 5000 words of the vocabulary, two million words
// said. Topics and documents on the unconstrained scale.
transformed data {
  int K = 10;
  int D = 4000;
  int V = 5000;
  int N = 2000000;
  array[N] int w;
  array[N] int d;
  for (n in 1:N) {
    w[n] = 1 + (n * 31 + n %/% 7) % V;
    d[n] = 1 + (n - 1) %/% (N %/% D);
  }
}
parameters {
  array[K] vector[V] phi;
  array[K] vector[D] theta;
}
model {
  vector[N] total = rep_vector(0, N);
  for (k in 1:K) {
    phi[k] ~ std_normal();
    theta[k] ~ std_normal();
    total += exp(phi[k][w] + theta[k][d]);
  }
  target += log(total);
}
