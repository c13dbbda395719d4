test_that("optimize finds the mode", {
  optimum <- normal()$optimize(seed = 1)
  expect_equal(optimum$point$x, c(0, 0), tolerance = 1e-6)
  expect_equal(optimum$log_density, 0, tolerance = 1e-9)
  expect_output(print(optimum), "^optimum of normal: lp__ = ")
  all <- normal()$optimize(seed = 1, save_iterations = TRUE)
  expect_gt(dim(all$values("x"))[1], 1)
  expect_equal(all$point, optimum$point)
})

test_that("laplace draws around a mode, its own or one that is given", {
  own <- normal()$laplace(seed = 1, draws = 2000)
  expect_equal(dim(own$values("x")), c(2000, 1, 2))
  expect_equal(sd(own$values("x")[, 1, 2]), 2, tolerance = 0.1)
  given <- normal()$laplace(mode = list(x = c(0, 0)), seed = 1, draws = 2000)
  expect_equal(given$values("x"), own$values("x"), tolerance = 1e-4)
  from_fit <- normal()$laplace(mode = normal()$optimize(seed = 1), seed = 1, draws = 50)
  expect_equal(dim(from_fit$values("x")), c(50, 1, 2))
  expect_error(normal()$laplace(mode = 3), "mode is 3 .*, but must be a list", class = "fermiac_argument_error")
  expect_error(normal()$laplace(mode = list(z = 1)), "mode has 'z'", class = "fermiac_argument_error")
})

test_that("pathfinder has draws, and those of its paths where they are asked for", {
  fit <- schools_bound()$pathfinder(seed = 1, psis_draws = 200)
  expect_equal(dim(fit$values("theta")), c(200, 1, 8))
  expect_length(fit$paths, 0)
  paths <- schools_bound()$pathfinder(seed = 1, num_paths = 2, draws = 30, save_single_paths = TRUE)$paths
  expect_equal(lapply(paths, function(p) dim(p$values("mu"))), list(c(30, 1), c(30, 1)))
})

test_that("variational has a centre and draws", {
  fit <- normal()$variational(seed = 1, draws = 300)
  expect_equal(fit$point$x, c(0, 0), tolerance = 1)
  expect_equal(dim(fit$values("x")), c(300, 1, 2))
  expect_s3_class(fit$summary(), "data.frame")
})

test_that("generate has quantities for the draws of a fit, and of files", {
  fit <- normal()$sample(seed = 1, samples = 20, chains = 2, no_summary = TRUE)
  model <- fermiac_model(code = "
    parameters { vector[2] x; }
    generated quantities { real twice = 2 * x[1]; real z = normal_rng(0, 1); }")
  twice <- model$generate(fit, seed = 1)
  expect_identical(twice$values("twice"), 2 * fit$values("x")[, , 1])
  expect_equal(twice$variables, c("twice", "z"))
  expect_identical(model$bind()$generate(fit, seed = 1)$values("z"), twice$values("z"))
  folder <- tempfile()
  on.exit(unlink(folder, recursive = TRUE))
  normal()$sample(seed = 1, samples = 20, chains = 2, no_summary = TRUE, output = folder, sig_figs = 17)
  files <- sort(list.files(folder, pattern = "[.]csv$", full.names = TRUE))
  expect_equal(model$generate(files, seed = 1)$values("twice"), twice$values("twice"))
  argument <- function(fit, says) expect_error(model$generate(fit), says, class = "fermiac_argument_error")
  argument(3, "a fit or paths of CSV files, not numeric")
  argument(NULL, "a fit or paths")
  expect_error(model$generate(), "a fit or paths", class = "fermiac_argument_error")
  expect_error(model$generate("/nonexistent.csv"), "/nonexistent.csv", class = "fermiac_error")
  expect_error(model$generate(schools_bound()$sample(seed = 1, samples = 5, no_summary = TRUE)), "x", class = "fermiac_error")
})

test_that("diagnose compares gradients", {
  expect_output(print(normal()$diagnose(seed = 1)), "Log probability")
  expect_error(normal()$diagnose(epsilon = -1), "epsilon", class = "fermiac_error")
})

test_that("methods of a model take data", {
  fit <- schools()$sample(schools_data, seed = 2, samples = 10, warmup = 50, no_summary = TRUE)
  bound <- schools_bound()$sample(seed = 2, samples = 10, warmup = 50, no_summary = TRUE)
  expect_identical(fit$chains, bound$chains)
  expect_s3_class(schools()$optimize(schools_data, seed = 1, jacobian = TRUE), "fermiac_optimum")
  expect_error(schools()$sample(), "J", class = "fermiac_data_error")
})

test_that("a program without parameters is no trouble", {
  model <- fermiac_model(code = "generated quantities { real x = normal_rng(0, 1); }")
  fit <- model$sample(seed = 1, samples = 100, chains = 1, no_summary = TRUE)
  expect_equal(dim(fit$values("x")), c(100, 1))
  expect_equal(model$bind()$unconstrained_size, 0)
  expect_equal(model$bind()$gradient(numeric()), numeric())
  expect_warning(empty <- fermiac_model(code = ""), "Empty", class = "fermiac_program_warning")
  expect_output(print(empty), "data: none\nparameters: none")
  expect_output(print(empty$bind()), "0 unconstrained parameters")
})
