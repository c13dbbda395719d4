fitted <- function() once("fitted", function() schools_bound()$sample(seed = 2, adapt_delta = 0.95))

test_that("draws are those of the library with this seed, whatever the threads", {
  draw <- function(seed, ...) normal()$sample(seed = seed, samples = 50, chains = 2, no_summary = TRUE, ...)
  one <- draw(3, threads = 1)
  two <- draw(3, threads = 2)
  expect_identical(one$chains, two$chains)
  expect_equal(one$seed, 3L)
  expect_false(identical(one$chains, draw(4)$chains))
})

test_that("draws are the posterior's", {
  draws <- normal()$sample(seed = 1, samples = 2000)$values("x")
  expect_equal(dim(draws), c(2000, 4, 2))
  expect_equal(mean(draws[, , 1]), 0, tolerance = 0.1)
  expect_equal(sd(draws[, , 2]), 2, tolerance = 0.1)
})

test_that("a fit has draws, values, diagnostics", {
  fit <- fitted()
  expect_output(print(fit), "^sample of schools: 4 chains of 1000 draws\nvariables: mu, tau, theta_raw, theta$")
  draws <- fit$draws(plain = TRUE)
  expect_equal(dim(draws), c(1000, 4, 19))
  expect_equal(dimnames(draws)$variable[c(1, 2, 4)], c("lp__", "mu", "theta_raw[1]"))
  expect_equal(fit$values("theta")[, , 3], unname(draws[, , "theta[3]"]), ignore_attr = TRUE)
  expect_equal(dim(fit$values("mu")), c(1000, 4))
  expect_equal(dim(fit$values("lp__")), c(1000, 4))
  expect_equal(dimnames(fit$draws(c("mu", "theta[2]"), plain = TRUE))$variable, c("mu", "theta[2]"))
  expect_equal(dimnames(fit$diagnostics(plain = TRUE))$variable[1:2], c("accept_stat__", "stepsize__"))
  expect_equal(fit$chains[[2]][5, "mu"], draws[5, 2, "mu"], ignore_attr = TRUE)
  expect_equal(fit$divergences, sum(fit$diagnostics(plain = TRUE)[, , "divergent__"]))
  expect_equal(fit$problems, "")
  expect_equal(fit$stopped, "")
})

test_that("names of variables that do not exist are refused", {
  argument <- function(expression, says) expect_error(expression, says, class = "fermiac_argument_error")
  argument(fitted()$draws("nope"), "no variable 'nope'; there are .*mu")
  argument(fitted()$values("nope"), "no variable 'nope'; there are mu, .*lp__")
  argument(fitted()$summary("nope"), "no variable 'nope'")
  argument(fitted()$values(c("mu", "tau")), "one text")
  argument(fitted()$draws(3), "variables are texts")
  argument(fitted()$nope, "a sample has no 'nope'")
})

test_that("a summary is a data frame", {
  rows <- fitted()$summary()
  expect_s3_class(rows, "data.frame")
  expect_equal(names(rows), c("variable", fermiac:::summary_columns))
  mu <- rows[rows$variable == "mu", ]
  expect_equal(mu$mean, mean(fitted()$values("mu")))
  expect_lt(mu$rhat, 1.02)
  expect_equal(fitted()$summary("theta")$variable, sprintf("theta[%d]", 1:8))
  expect_equal(summary(fitted(), "mu")$mean, mu$mean)
  expect_output(print(fitted()$summary("mu")), "variable +mean +mcse .*rhat")
})

test_that("a data frame has a row for each draw", {
  rows <- as.data.frame(fitted())
  expect_equal(dim(rows), c(4000, 21))
  expect_equal(names(rows)[1:4], c("chain", "iteration", "lp__", "mu"))
  expect_equal(rows$mu[rows$chain == 3], fitted()$values("mu")[, 3])
  expect_equal(rows$iteration[1001], 1)
})

test_that("fits can be saved", {
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(fitted(), file)
  fit <- readRDS(file)
  expect_equal(fit$values("mu"), fitted()$values("mu"))
  expect_equal(fit$summary(), fitted()$summary())
  expect_output(print(fit), "sample of schools")
})

test_that("draws are posterior's where it is installed", {
  skip_if_not_installed("posterior")
  expect_s3_class(fitted()$draws(), "draws_array")
  expect_s3_class(posterior::as_draws_df(fitted()), "draws_df")
  theta <- posterior::as_draws_rvars(fitted()$draws())$theta
  expect_equal(as.vector(posterior::E(theta)), unname(apply(fitted()$values("theta"), 3, mean)))
  expect_equal(posterior::rhat(posterior::extract_variable_matrix(fitted()$draws(), "mu")),
               fitted()$summary("mu")$rhat, tolerance = 1e-6)
})

test_that("posterior is not needed", {
  before <- options(fermiac.posterior = FALSE)
  on.exit(options(before))
  expect_identical(class(fitted()$draws()), "array")
})

test_that("what speaks against the draws is a warning", {
  funnel <- fermiac_model(code = "parameters { real v; vector[9] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }")
  expect_warning(fit <- funnel$sample(seed = 1, metric = "diag_e", init = "2"), "Raise adapt_delta", class = "fermiac_run_warning")
  expect_gt(fit$divergences, 0)
  expect_output(print(fit), "Divergences")
})

test_that("values of every type are found in the draws", {
  fit <- every_bound()$sample(seed = 1, samples = 20, warmup = 50, chains = 2, no_summary = TRUE)
  expect_equal(dim(fit$values("M")), c(20, 2, 2, 3))
  expect_type(fit$values("cm"), "complex")
  expect_equal(dim(fit$values("cm")), c(20, 2, 2, 2))
  expect_identical(fit$values("k")[7, 2, , ], matrix(1:4, 2, byrow = TRUE))
  t <- fit$values("t")
  expect_length(t, 2)
  expect_equal(dim(t[[1]]), c(20, 2, 2))
  expect_equal(dim(t[[2]]), c(20, 2, 2, 2))
  expect_equal(fit$values("ta")[[1]][3, 1, , ], outer(10 * (1:2), 1:3, `+`))
  expect_equal(fit$values("ta")[[2]][3, 1, 2, 3, , ], matrix(1:6, 2, byrow = TRUE))
  expect_equal(fit$values("nested")[[2]][[2]][1, 1], 1 + 2i)
  expect_equal(dim(fit$values("ez")), c(20, 2, 2, 0))
  names <- dimnames(fit$draws(plain = TRUE))$variable
  expect_true(all(c("t[1].1", "t[2].2[1]", "c.real", "cm[1,2].imag") %in% names))
  # Every number of the draws is the one that its name says.
  draws <- fit$draws(plain = TRUE)
  expect_equal(t[[2]][4, 2, 2, 1], draws[4, 2, "t[2].2[1]"], ignore_attr = TRUE)
  expect_equal(Im(fit$values("cm"))[4, 2, 1, 2], draws[4, 2, "cm[1,2].imag"], ignore_attr = TRUE)
})

test_that("warm-up rows are kept where they are asked for", {
  fit <- normal()$sample(seed = 1, samples = 30, warmup = 20, chains = 2, save_warmup = TRUE, no_summary = TRUE)
  expect_equal(lapply(fit$warmup, dim), list(c(20L, 9L), c(20L, 9L)))
  expect_equal(colnames(fit$warmup[[1]])[1], "lp__")
  expect_equal(dim(fit$values("x")), c(30, 2, 2))
})

test_that("initial values are a radius, a list, lists for the chains, a fit", {
  start <- function(init) {
    fit <- normal()$sample(seed = 1, samples = 1, warmup = 0, chains = 2, init = init, no_adapt = TRUE, stepsize = 1e-9,
                           no_summary = TRUE)
    unname(fit$values("x")[1, , ])
  }
  expect_equal(start(list(x = c(3, 4))), rbind(3:4, 3:4), tolerance = 1e-6)
  expect_equal(start(list(list(x = c(3, 4)), list(x = c(5, 6)))), rbind(3:4, 5:6), tolerance = 1e-6)
  expect_equal(start(0), matrix(0, 2, 2), tolerance = 1e-6)
  expect_equal(start(normal()$optimize(seed = 1)), matrix(0, 2, 2), tolerance = 1e-6)
  argument <- function(init, says) expect_error(start(init), says, class = "fermiac_argument_error")
  argument(list(z = 1), "init has 'z', which is no parameter; there are x")
  argument(list(list(x = c(1, 2)), list(z = 1)), "init\\[\\[2\\]\\] has 'z'")
  argument(-1, "init")
  expect_equal(dim(start(list())), c(2, 2))
  argument(normal()$sample(seed = 1, samples = 1, no_summary = TRUE), "fit of sample, which has no point")
})

test_that("wrong options are named", {
  argument <- function(says, ...) expect_error(normal()$sample(...), says, class = "fermiac_argument_error")
  argument("no option 'chian'; its options are .*chains", chian = 4)
  argument("no option 'chain'; its options are .*adapt_delta", chain = 4)
  argument("options are given by their names", 4)
  argument("chains is 0, but must be a whole number from 1", chains = 0)
  argument("chains is 1.5", chains = 1.5)
  argument("adapt.delta is 2", adapt_delta = 2)
  argument("diag_e, dense_e or unit_e", metric = "round")
  argument("seed is -1", seed = -1)
  argument("save.warmup", save_warmup = 3)
  argument("samples", samples = "many")
  argument("samples is NA", samples = NA_integer_)
  argument("samples is function", samples = mean)
  argument("progress is 3", progress = 3)
})

test_that("a time limit ends a run and keeps its draws", {
  expect_warning(fit <- normal()$sample(seed = 1, samples = 1e8, timeout = 0.3, no_summary = TRUE), "time limit",
                 class = "fermiac_run_warning")
  expect_match(fit$stopped, "time limit")
  expect_gt(dim(fit$values("x"))[1], 10)
  expect_output(print(fit), "stopped: time limit")
})

test_that("a run without a beginning says why", {
  model <- fermiac_model(code = "parameters { real x; } model { reject(\"never\"); }")
  expect_error(model$sample(seed = 1), "for one reason:\n  never", class = "fermiac_method_error")
})

test_that("programs print where R prints", {
  model <- fermiac_model(code = "parameters { real x; } model { x ~ normal(0, 1); } generated quantities { print(\"here\"); }")
  printed <- capture.output(invisible(model$sample(seed = 1, samples = 3, warmup = 10, chains = 1, no_summary = TRUE)))
  expect_equal(sum(printed == "here"), 3)
})

test_that("progress is one line", {
  shown <- capture.output(type = "message", {
    fit <- normal()$sample(seed = 1, samples = 3e5, chains = 2, progress = TRUE, no_summary = TRUE)
  })
  expect_match(paste(shown, collapse = ""), "1: [0-9]+%.*2: [0-9]+%")
  expect_equal(fermiac:::progress_text("0 50 200 1\n1 200 200 0\n"), "1: 25% warmup  2: 100%")
})

test_that("files are written where they are wanted", {
  folder <- tempfile()
  on.exit(unlink(folder, recursive = TRUE))
  normal()$sample(seed = 1, samples = 10, chains = 2, output = folder, no_summary = TRUE)
  expect_equal(sum(grepl("[.]csv$", list.files(folder))), 2)
})

test_that("the random numbers of R are left alone", {
  set.seed(1)
  expected <- runif(1)
  set.seed(1)
  normal()$sample(seed = 1, samples = 5, no_summary = TRUE)
  expect_equal(runif(1), expected)
})

# A session of R that somebody interrupts after a second.
interrupted <- function(...) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  library <- dirname(system.file(package = "fermiac"))
  writeLines(c(sprintf("library(fermiac, lib.loc = \"%s\")", library),
               "soon <- function() system(sprintf('(sleep 1; kill -INT %d) &', Sys.getpid()))", ...), script)
  suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE, stderr = TRUE))
}

test_that("an interrupt ends a run, keeps its draws, and leaves R alive", {
  skip_on_cran()
  said <- interrupted(
    "model <- fermiac_model(code = 'parameters { real x; } model { x ~ normal(0, 1); }')",
    "soon()",
    "fit <- model$sample(samples = 1e8, seed = 1, no_summary = TRUE)",
    "cat(fit$stopped, dim(fit$values('x'))[1] > 10, '\n')",
    "cat('alive', length(model$sample(samples = 10, seed = 1, no_summary = TRUE)$values('x')), '\n')"
  )
  expect_true(any(said == "interrupted TRUE "))
  expect_true(any(said == "alive 40 "))
})

test_that("an interrupt reaches into a gradient that takes minutes", {
  skip_on_cran()
  said <- interrupted(
    "code <- 'parameters { real x; } model { real s = 0; for (i in 1:2000000000) s += sin(i * 1e-9); x ~ normal(s, 1); }'",
    "model <- fermiac_model(code = code)",
    "soon()",
    "tryCatch(model$sample(seed = 1), fermiac_stopped_error = function(e) cat('ended:', conditionMessage(e), '\n'))",
    "cat('alive', 1 + 1, '\n')"
  )
  expect_true(any(said == "ended: interrupted "))
  expect_true(any(said == "alive 2 "))
})
