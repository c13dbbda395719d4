test_that("numbers arrive as they are declared", {
  expect_equal(arrives("int x", 8), "8")
  expect_equal(arrives("int x", 8L), "8")
  expect_equal(arrives("int x", TRUE), "1")
  expect_equal(arrives("int x", 1e5), "100000")
  expect_equal(arrives("int x", 100000L), "100000")
  expect_equal(arrives("real x", 1e300), "1e+300")
  expect_equal(arrives("real x", Inf), "inf")
  expect_equal(arrives("real x", -Inf), "-inf")
  expect_equal(arrives("real x", NaN), "nan")
  expect_equal(arrives("complex x", 1 + 2i), "(1,2)")
  expect_equal(arrives("complex x", 3), "(3,0)")
})

test_that("a vector of one is a number or a vector, as the program wants it", {
  expect_equal(arrives("vector[1] x", 3), "[3]")
  expect_equal(arrives("array[1] int x", 3), "[3]")
  expect_equal(arrives("array[1] complex x", 3i), "[(0,3)]")
  expect_equal(arrives("real x", 3), "3")
})

test_that("containers arrive with their dimensions", {
  expect_equal(arrives("matrix[2, 3] x", matrix(1:6, 2)), "[[1,3,5],[2,4,6]]")
  expect_equal(arrives("matrix[2, 2] x", data.frame(a = 1:2, b = c(3.5, 4))), "[[1,3.5],[2,4]]")
  expect_equal(arrives("array[2] vector[2] x", list(c(1, 2), c(3, 4))), "[[1,2],[3,4]]")
  expect_equal(arrives("array[2] vector[1] x", list(1, 2)), "[[1],[2]]")
  expect_equal(arrives("array[2, 1, 3] int x", array(1:6, c(2, 1, 3))), "[[[1,3,5]],[[2,4,6]]]")
  expect_equal(arrives("row_vector[3] x", 1:3), "[1,2,3]")
  expect_equal(arrives("vector[3] x", ts(1:3)), "[1,2,3]")
  expect_equal(arrives("complex_matrix[1, 2] x", matrix(c(1i, 2), 1)), "[[(0,1),(2,0)]]")
  expect_equal(arrives("tuple(int, vector[2]) x", list(1, c(2, 3))), "(1,[2,3])")
  expect_equal(arrives("array[2] tuple(int, vector[1]) x", list(list(1, 2), list(3, 4))), "[(1,[2]),(3,[4])]")
  expect_equal(arrives("tuple(int, tuple(real, complex)) x", list(1, list(2, 3i))), "(1,(2,(0,3)))")
})

test_that("what is empty arrives", {
  expect_equal(arrives("vector[0] x", numeric()), "[]")
  expect_equal(arrives("array[0] int x", integer()), "[]")
  expect_equal(arrives("array[0] int x", list()), "[]")
  expect_equal(arrives("matrix[0, 3] x", matrix(0, 0, 3)), "[]")
  expect_equal(arrives("array[2, 0] real x", matrix(0, 2, 0)), "[[],[]]")
})

test_that("every double arrives as it is", {
  x <- c(0.1, 1 / 3, pi * 1e-300, 2^53 + 2, .Machine$double.xmin / 3, 1e22, -0.1)
  code <- "data { int N; vector[N] x; } parameters { real mu; } generated quantities { vector[N] y = x; }"
  bound <- fermiac_model(code = code)$bind(list(N = length(x), x = x))
  expect_identical(bound$constrain(0, generated = TRUE, rng = 1)$y, x)
})

test_that("what is no data is refused by name", {
  data_error <- function(value, says, declaration = "vector[2] x") {
    expect_error(arrives(declaration, value), says, class = "fermiac_data_error")
  }
  data_error(factor(c("a", "b")), "data\\$x is a factor.*as.integer")
  unknown <- function(value, says, declaration = "vector[2] x") {
    code <- sprintf("data { %s; } parameters { real a; } model { a ~ normal(0, 1); }", declaration)
    expect_error(fermiac_model(code = code)$bind(list(x = value)), says, class = "fermiac_data_error")
  }
  unknown(c(1, NA), "x\\[2\\] is missing, but no statement gives x a distribution")
  unknown(NA, "x is missing", "int x")
  unknown(matrix(c(1, 2, NA, 4), 2), "x\\[1,2\\] is missing", "matrix[2, 2] x")
  data_error("a", "data\\$x is \"a\" \\(character\\)")
  data_error(Sys.Date(), "of class Date")
  data_error(Sys.time(), "of class POSIXct")
  data_error(sum, "data\\$x is .*function")
  data_error(quote(a), "must be a number")
  data_error(new.env(), "must be a number")
  data_error(data.frame(a = 1:2, b = c("x", "y")), "data\\$x\\$b is", "matrix[2, 2] x")
  data_error(list(1, "b"), "data\\$x\\[\\[2\\]\\] is \"b\"", "array[2] real x")
  data_error(list(1, 2), "is a list, but must be one number", "real x")
  data_error(3, "must be a tuple", "tuple(int, int) x")
  data_error(list(1), "list of 1, but must be a tuple of 2", "tuple(int, int) x")
  data_error(1.5, "1.5", "int x")
  data_error(c(1, 2, 3), "3 elements, but must have 2")
  data_error(matrix(1:2, 2), "data\\$x has dimensions 2 x 1, but must be a vector")
  data_error(1:2, "data\\$x has 2 numbers, but must be a matrix", "matrix[2, 1] x")
  data_error(c(3, 3), "data\\$x has 2 numbers, but must be one number", "int x")
  data_error(1:2, "data\\$x has 2 numbers, but must have 3 dimensions", "array[2, 1, 1] int x")
})

test_that("data are a list with names, a data frame, or a file", {
  model <- fermiac_model(code = "data { array[2] int x; } transformed data { print(x); }")
  expect_output(model$bind(data.frame(x = 1:2, group = c("a", "b"))), "[1,2]", fixed = TRUE)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  writeLines("{\"x\": [3, 4]}", file)
  expect_output(model$bind(file), "[3,4]", fixed = TRUE)
  expect_error(model$bind("/nonexistent/d.json"), "/nonexistent/d.json", class = "fermiac_data_error")
  expect_error(model$bind(), "x", class = "fermiac_data_error")
  expect_error(model$bind(list(y = 1)), "x", class = "fermiac_data_error")
  expect_error(model$bind(list()), "x", class = "fermiac_data_error")
  argument <- function(data, says) expect_error(model$bind(data), says, class = "fermiac_argument_error")
  argument(1:2, "data must be a list with names")
  argument(list(1, 2), "with names of variables")
  argument(list(x = 1:2, x = 1:2), "'x' twice")
  argument(new.env(), "data must be a list")
  argument(NA_character_, "one text")
})

test_that("what the program does not declare is left alone", {
  expect_silent(normal())
  expect_s3_class(schools()$bind(c(schools_data, list(other = "text", f = factor("a")))), "fermiac_bound_model")
})

test_that("options of binding are checked", {
  expect_error(schools()$bind(schools_data, threads = "many"), "threads", class = "fermiac_argument_error")
  expect_error(schools()$bind(schools_data, seed = NA_real_), "seed is NA", class = "fermiac_argument_error")
  expect_error(fermiac_model(code = "data { int N; } transformed data { vector[N] x; }")$bind(list(N = 1e8), memory = 1e8),
               class = "fermiac_error")
})

test_that("transformed data draw with their seed, and print", {
  model <- fermiac_model(code = "transformed data { print(normal_rng(0, 1)); }")
  print_of <- function(seed) capture.output(invisible(model$bind(seed = seed)))
  expect_equal(print_of(1), print_of(1))
  expect_false(identical(print_of(1), print_of(2)))
})
