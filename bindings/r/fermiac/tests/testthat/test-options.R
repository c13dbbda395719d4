known_to_the_library <- function(method) {
  handle <- environment(normal()$unconstrained_names)$it$handle
  options <- list(fitted = fermiac:::as_json("[\"x\"]"), mode = fermiac:::as_json("{}"), `no such option` = 1)
  error <- tryCatch(fermiac:::execute(handle, method, options), fermiac_argument_error = conditionMessage)
  gsub("-", "_", strsplit(sub(".*its options are ", "", error), ", ")[[1]])
}

test_that("the table has what the library has", {
  for (method in names(fermiac:::method_options)) {
    # `method` is the name of the function; `fitted` an argument; rows are always kept, for there are no callbacks.
    theirs <- setdiff(known_to_the_library(method), c("method", "fitted", "keep"))
    expect_setequal(setdiff(names(fermiac:::method_options[[method]]), fermiac:::own_options), theirs)
  }
})

test_that("signatures have every option", {
  for (method in names(fermiac:::method_options)) {
    expect_true(all(fermiac_options(method)$option %in% names(formals(schools()[[method]]))))
    expect_true(all(fermiac_options(method)$option %in% names(formals(schools_bound()[[method]]))))
  }
})

test_that("options are told", {
  expect_output(print(fermiac_options("laplace")), "mode +a list of parameters")
  expect_s3_class(fermiac_options(), "data.frame")
  expect_error(fermiac_options("samples"), "there are sample, optimize", class = "fermiac_argument_error")
})
