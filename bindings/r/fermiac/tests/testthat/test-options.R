known_to_the_library <- function(method) {
  handle <- environment(normal()$unconstrained_names)$it$handle
  options <- list(fitted = fermiac:::as_json("[\"x\"]"), mode = fermiac:::as_json("{}"), `no such option` = 1)
  error <- tryCatch(fermiac:::execute(handle, method, options), fermiac_argument_error = conditionMessage)
  gsub("-", "_", strsplit(sub(".*its options are ", "", error), ", ")[[1]])
}

test_that("the options are those of the library", {
  described <- fermiac:::parse_json(fermiac:::ask_text("methods_json"))
  for (method in names(described)) {
    rows <- described[[method]]$options
    named <- stats::setNames(lapply(rows, function(row) row$about), vapply(rows, function(row) row$name, ""))
    # `method` is the name of the function.
    expect_setequal(names(named), setdiff(known_to_the_library(method), "method"))
    shown <- fermiac_options(method)
    # `fitted` is an argument; rows are always kept, because R has no callback for them.
    expect_setequal(shown$option, c(setdiff(names(named), c("fitted", "keep")), names(fermiac:::own_options)))
    for (name in intersect(shown$option, names(named))) expect_equal(shown$about[shown$option == name], named[[name]])
  }
})

test_that("signatures have every option", {
  for (method in names(fermiac:::method_table())) {
    expect_true(all(fermiac_options(method)$option %in% names(formals(schools()[[method]]))))
    expect_true(all(fermiac_options(method)$option %in% names(formals(schools_bound()[[method]]))))
  }
})

test_that("a method that the package does not know leaves draws", {
  expect_null(fermiac:::method_named("toy")$first)
  it <- environment(normal()$unconstrained_names)$it
  fit <- fermiac:::with_options("pathfinder", NULL, function(arguments) {
    fermiac:::fitted_by(it, "pathfinder", arguments, fermiac:::draws_fit)
  })(draws = 10, psis_draws = 7, seed = 1)
  expect_equal(dim(fit$draws(plain = TRUE))[1], 7)
})

test_that("options are told", {
  expect_output(print(fermiac_options("laplace")), "mode +Mode: CSV file of optimize")
  expect_s3_class(fermiac_options(), "data.frame")
  expect_error(fermiac_options("samples"), "there are sample, optimize", class = "fermiac_argument_error")
})
