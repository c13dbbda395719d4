test_that("the sessions in the pages are as they are written", {
  expect_gte(run_page("docs/r.md"), 30)
  expect_gte(run_page("docs/r/densities.md"), 30)
  expect_gte(run_page("README.md"), 3)
})

test_that("the notebook runs", {
  path <- file.path(root, "examples", "r", "eight_schools.Rmd")
  lines <- readLines(path, encoding = "UTF-8")
  fence <- cumsum(grepl("^```", lines))
  code <- lines[fence %% 2 == 1 & !grepl("^```", lines)]
  expect_gt(length(code), 10)
  before <- setwd(dirname(path))
  on.exit(setwd(before))
  names <- new.env(parent = globalenv())
  capture.output(for (expression in parse(text = code, encoding = "UTF-8")) print(eval(expression, names)))
  expect_equal(dim(names$effects), NULL)
  expect_length(names$effects, 8)
})

test_that("the checks of sessions see what is not as it is written", {
  expect_false(matches("[1] 2", "[1] 3"))
  expect_false(matches("one two", "one"))
  expect_true(matches(c("one   (two)", "three"), c("one (two)", "th...")))
  expect_equal(said_to("stop('no')", new.env())[1], "Error: no")
})
