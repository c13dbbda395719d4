# Programs and models that several files of tests use; each is compiled once.

every_type <- "
data { int N; matrix[2, 3] A; tuple(int, vector[2]) tt; complex z; array[N, 0] real e; }
parameters {
  real mu; matrix[2, 3] M; array[2] tuple(real, vector[2]) t; complex c; array[2] vector[0] ez; complex_matrix[2, 2] cm;
  simplex[3] s; vector[0] v0;
}
transformed parameters { real twice = mu * 2; }
model {
  mu ~ normal(0, 1);
  to_vector(M) ~ std_normal();
  for (i in 1:2) { t[i].1 ~ std_normal(); t[i].2 ~ std_normal(); }
  get_real(c) ~ std_normal();
  get_imag(c) ~ std_normal();
  for (i in 1:2) for (j in 1:2) { get_real(cm[i, j]) ~ std_normal(); get_imag(cm[i, j]) ~ std_normal(); }
}
generated quantities {
  array[2, 2] int k = {{1, 2}, {3, 4}};
  tuple(int, tuple(matrix[1, 2], complex)) nested = (7, ([[1, 2]], to_complex(1, 2)));
  array[2, 3] tuple(real, array[2, 3] int) ta;
  matrix[2, 3] copy = A + N + tt.1;
  for (i in 1:2) for (j in 1:3) ta[i, j] = (10 * i + j, {{1, 2, 3}, {4, 5, 6}});
}
"
every_data <- list(N = 2, A = matrix(1:6, 2, byrow = TRUE), tt = list(1, c(1, 2)), z = 1 + 2i, e = matrix(0, 2, 0))

schools_code <- "
data { int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta_raw; }
transformed parameters { vector[J] theta = mu + tau * theta_raw; }
model {
  mu ~ normal(0, 5); tau ~ normal(0, 5); theta_raw ~ std_normal();
  y ~ normal(theta, sigma);
}
"
schools_data <- list(J = 8L, y = c(28, 8, -3, 7, -1, 1, 18, 12), sigma = c(15, 10, 16, 11, 9, 11, 10, 18))

made <- new.env()
once <- function(name, make) {
  if (is.null(made[[name]])) assign(name, make(), envir = made)
  made[[name]]
}

every_bound <- function() once("every", function() fermiac_model(code = every_type, name = "every")$bind(every_data))
schools <- function() once("schools", function() fermiac_model(code = schools_code, name = "schools"))
schools_bound <- function() once("schools_bound", function() schools()$bind(schools_data))
normal <- function() {
  code <- "parameters { vector[2] x; } model { x ~ normal(0, [1, 2]'); }"
  once("normal", function() fermiac_model(code = code, name = "normal")$bind())
}
# Data of one variable, declared like this: what arrives in the program, as text.
arrives <- function(declaration, value) {
  code <- sprintf("data { %s; } transformed data { print(x); }", declaration)
  model <- fermiac_model(code = code)
  trimws(paste(capture.output(invisible(model$bind(list(x = value)))), collapse = "\n"))
}
