library_code <- "
functions {
  real half_life(real rate) { return log2() / rate; }
  vector shifted(vector x, real by) { return x + by; }
  real noise_rng(real scale) { return normal_rng(0, scale); }
  int part(int x) { return x / 2; }
  real part(real x) { return x / 2; }
  tuple(int, vector) pair(matrix m) { return (rows(m), m[1]'); }
  array[] complex turned(int n) { return rep_array(to_complex(1, n), n); }
  array[] tuple(int, real) listed(array[] tuple(int, real) x) { return x; }
  matrix same(matrix x) { return x; }
  array[,] int ints(array[,] int x) { return x; }
  void hello(array[] int n) { print(\"hello \", n); }
  real picky(real x) { if (x < 0) reject(\"x is \", x); return x; }
  void push_lp(real x) { target += x; }
}"
f <- function() once("functions", function() suppressWarnings(fermiac_model(code = library_code))$functions)

test_that("functions are called by position or by name", {
  expect_equal(f()$half_life(0.5), log(2) / 0.5)
  expect_equal(f()$shifted(c(1, 2), 3), c(4, 5))
  expect_equal(f()$shifted(by = 3, x = c(1, 2)), c(4, 5))
  expect_equal(f()$shifted(1, 3), 4)
  expect_true("half_life" %in% names(f()))
  expect_output(print(f()), "Functions:\n  half_life\\(real rate\\) => real")
  expect_output(print(f()$part), "part\\(int x\\) => int")
})

test_that("values of every type come and go", {
  expect_equal(f()$pair(matrix(1:6, 2)), list(2L, c(1, 3, 5)))
  expect_equal(f()$turned(2), c(1 + 2i, 1 + 2i))
  expect_equal(f()$listed(list(list(1, 2.5), list(3, 4))), list(list(1L, 2.5), list(3L, 4)))
  m <- matrix(c(1, NaN, Inf, -Inf, 0.1, 6), 2)
  expect_identical(f()$same(m), m)
  expect_identical(f()$ints(matrix(1:6, 3)), matrix(1:6, 3))
  every_bit <- matrix(sin(1:3000) * 10^(-149:150), 30)
  expect_identical(f()$same(every_bit), every_bit)
  expect_equal(dim(f()$same(matrix(0, 2, 0))), c(2, 0))
  expect_equal(f()$turned(0), complex())
  expect_output(expect_null(f()$hello(1:2)), "hello [1,2]", fixed = TRUE)
})

test_that("one of several functions is meant by its arguments or by its name", {
  expect_identical(f()$part(3L), 1L)
  expect_identical(f()$part(3), 1.5)
  expect_identical(f()[["part(int)"]](3), 1L)
  expect_identical(f()[["part( real )"]](3L), 1.5)
})

test_that("random numbers need a generator", {
  expect_error(f()$noise_rng(1), "rng", class = "fermiac_argument_error")
  rng <- fermiac_rng(1)
  first <- f()$noise_rng(1, rng = rng)
  expect_equal(first, f()$noise_rng(1, rng = 1))
  expect_false(f()$noise_rng(1, rng = rng) == first)
})

test_that("wrong calls are refused", {
  argument <- function(expression, says) expect_error(expression, says, class = "fermiac_argument_error")
  argument(f()$nope, "no function 'nope' that can be called; there are half_life")
  expect_error(f()$push_lp(1), "push_lp", class = "fermiac_argument_error")
  argument(f()$shifted(1, by = 3), "by position or by name, not both")
  argument(f()$shifted(1), "shifted")
  argument(f()$shifted(x = 1, z = 3), "shifted")
  argument(f()$part(3, rng = "a"), "seed is \"a\"")
  argument(f()[[3]], "functions have names")
  expect_error(f()$half_life("a"), "half_life: argument 1 is \"a\"", class = "fermiac_data_error")
  expect_error(f()$half_life(NA), "argument 1 is NA", class = "fermiac_data_error")
  expect_error(f()$shifted(x = factor("a"), by = 1), "argument x is a factor", class = "fermiac_data_error")
  expect_error(f()$half_life(c(1, 2)), "half_life: argument 1 has 2 numbers, but must be one number", class = "fermiac_error")
  error <- expect_error(f()$picky(-1), "x is -1", class = "fermiac_rejected_error")
  expect_equal(error$place$line, 14L)
  argument(schools()$functions$f, "there are none")
})
