levels_code <- "
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> tau; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); y ~ normal(mu, tau); }
"
levels_model <- function() once("levels", function() fermiac_model(code = levels_code))
levels_bound <- function() levels_model()$bind(list(N = 2, y = c(1, 3)))

test_that("what is fixed is no parameter", {
  fixed <- levels_bound()$condition(context = "prior", fix = list(tau = 3))
  expect_equal(fixed$unconstrained_names(), "mu")
  expect_equal(fixed$variables$name, "mu")
  expect_equal(fixed$log_density(0.3, propto = FALSE), dnorm(0.3, 0, 5, log = TRUE))
  both <- levels_bound()$condition(fix = c(tau = 3))$condition(condition = list(mu = 1))
  expect_equal(both$unconstrained_size, 0)
  expect_equal(both$log_density(numeric(), propto = FALSE), dnorm(1, 0, 5, TRUE) + sum(dnorm(c(1, 3), 1, 3, TRUE)))
})

test_that("sites and elements have weights", {
  bound <- levels_bound()
  theta <- c(0.3, 0.1)
  density <- function(...) bound$condition(...)$log_density(theta, propto = FALSE)
  y <- dnorm(c(1, 3), 0.3, exp(0.1), log = TRUE)
  rest <- density(weights = c(y = 0))
  expect_equal(density(weights = list(y = 0.5)), rest + sum(y) / 2)
  expect_equal(density(weights = list(y = c(0.25, 2))), rest + 0.25 * y[1] + 2 * y[2])
  expect_equal(density(weights = c(y = 0.1, "y[2]" = 3)), rest + 0.1 * y[1] + 3 * y[2])
  expect_equal(density(context = "likelihood", roles = NULL), sum(y) + 0.1)
})

test_that("data may be missing", {
  bound <- levels_bound()
  missing <- bound$condition(missing = "y[2]")
  expect_equal(missing$unconstrained_names(), c("mu", "tau", "y.2"))
  given <- levels_model()$bind(list(N = 2, y = c(1, NA)))
  theta <- c(0.3, 0.1, 3)
  expect_equal(given$log_density(theta), missing$log_density(theta))
  expect_equal(given$log_density(theta, propto = FALSE), bound$log_density(theta[1:2], propto = FALSE))
  whole <- levels_model()$bind(list(N = 2, y = NA))
  expect_equal(whole$unconstrained_names(), c("mu", "tau", "y.1", "y.2"))
  expect_equal(levels_model()$bind(list(N = 2L, y = c(NA, 3L)))$unconstrained_names()[3], "y.1")
  nan <- levels_model()$bind(list(N = 2, y = c(1, NaN)))
  expect_equal(nan$unconstrained_size, 2)
  expect_equal(nan$condition(nan_is_missing = TRUE)$unconstrained_size, 3)
})

test_that("roles of terms are told", {
  bound <- fermiac_model(code = "data { real y; } parameters { real mu; } model {\n target += -square(mu - y);\n}")$bind(list(y = 1))
  expect_error(bound$condition(context = "prior"), "--role|role", class = "fermiac_data_error")
  expect_equal(bound$condition(context = "prior", roles = c("@2" = "likelihood"))$log_density(3), 0)
  expect_equal(bound$condition(context = "prior", roles = c("@2" = "prior"))$log_density(3), -4)
})

test_that("conditioned models are sampled", {
  fit <- levels_bound()$condition(context = "prior", fix = list(tau = 3))$sample(chains = 1, seed = 1, samples = 2000)
  expect_lt(abs(sd(fit$values("mu")) - 5), 1)
  some <- levels_model()$bind(list(N = 2, y = c(1, NA)))$sample(chains = 1, seed = 1, samples = 50, no_summary = TRUE)
  y <- some$values("y")
  expect_equal(dim(y), c(50, 1, 2))
  expect_equal(y[, 1, 1], rep(1, 50))
  expect_gt(sd(y[, 1, 2]), 0)
})

test_that("what does not fit is told", {
  bound <- levels_bound()
  expect_error(bound$condition(weights = c(zeta = 1)), "no site matches 'zeta'", class = "fermiac_data_error")
  expect_error(bound$condition(weights = c(y = -1)), "not negative", class = "fermiac_data_error")
  expect_error(bound$condition(fix = list(tau = -1)), "greater than or equal to 0", class = "fermiac_data_error")
  argument <- function(expression, says) expect_error(expression, says, class = "fermiac_argument_error")
  argument(bound$condition(context = 1), "context must be one text")
  argument(bound$condition(missing = 2), "missing are texts")
  argument(bound$condition(fix = list(3)), "fix must be a list with names")
  argument(bound$condition(nan_is_missing = NA), "nan_is_missing is NA")
  argument(bound$condition(roles = c("@2" = 1)), "roles\\$@2 must be one text")
  expect_error(bound$condition(fix = list(tau = "a")), "fix\\$tau is \"a\"", class = "fermiac_data_error")
  expect_error(bound$condition(weights = c(y = NA_real_)), "weights\\$y is NA", class = "fermiac_data_error")
})
