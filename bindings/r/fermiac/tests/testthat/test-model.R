test_that("a model is made of a text, of lines, and of a file", {
  code <- "data { int N; } parameters { real mu; } model { mu ~ normal(N, 1); }"
  file <- tempfile("my model", fileext = ".stan")
  on.exit(unlink(file))
  writeLines(code, file)
  expect_equal(fermiac_model(code = code)$name, "model")
  expect_equal(fermiac_model(code = strsplit(code, "(?<=})", perl = TRUE)[[1]], name = "named")$name, "named")
  model <- fermiac_model(file)
  expect_match(model$name, "^my_model")
  expect_output(print(model), "^Stan model my_model.*\ndata: N\nparameters: mu$")
  expect_equal(model$info$inputs$N$type, "int")
})

test_that("a program that does not compile is an error with places", {
  error <- expect_error(fermiac_model(code = "parameters {\n  real x;\n}\nmodel {\n  x ~ norm(0, 1);\n  y ~ normal(0, 1);\n}"),
                        class = "fermiac_compilation_error")
  expect_match(conditionMessage(error), "There is no distribution 'norm'")
  expect_match(conditionMessage(error), "5:    x ~ norm(0, 1);", fixed = TRUE)
  expect_s3_class(error, "fermiac_error")
  expect_equal(format(error$place), "model:5:6")
  expect_output(print(error$place), "model:5:6")
  expect_equal(nrow(error$diagnostics), 2)
  expect_equal(error$diagnostics$name[1], "tilde-unknown")
  expect_equal(error$diagnostics$line, c(5L, 6L))
})

test_that("warnings of the compiler are warnings", {
  code <- "generated quantities { int i = 3 / 2; }"
  warning <- expect_warning(fermiac_model(code = code), "division", class = "fermiac_program_warning")
  expect_s3_class(warning, "fermiac_warning")
})

test_that("includes are searched where they shall be", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writeLines("real f(real x) { return x; }", file.path(folder, "f.stan"))
  code <- "functions {\n#include f.stan\n}"
  expect_equal(names(fermiac_model(code = code, include_paths = folder)$functions), "f")
  expect_error(fermiac_model(code = code), class = "fermiac_compilation_error")
  expect_error(fermiac_model(code = code, include_paths = folder, include = "none"), class = "fermiac_compilation_error")
})

test_that("texts keep their letters in every locale", {
  model <- fermiac_model(code = "functions { void hello() { print(\"gr\u00fc\u00df dich \u2713\"); } }")
  expect_output(model$functions$hello(), "gr\u00fc\u00df dich \u2713")
  before <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", before))
  Sys.setlocale("LC_CTYPE", "C")
  expect_equal(charToRaw(sub("\n$", "", paste(capture.output(model$functions$hello()), collapse = "")))[1:2], charToRaw("gr"))
})

test_that("calls that cannot be are refused", {
  argument <- function(expression, says) expect_error(expression, says, class = "fermiac_argument_error")
  argument(fermiac_model(), "a path or of code")
  argument(fermiac_model("a", code = "b"), "one of them")
  argument(fermiac_model(code = 3), "code must be one text, not 3 \\(numeric\\)")
  argument(fermiac_model(c("a", "b")), "path must be one text")
  argument(fermiac_model(code = NA_character_), "must be one text")
  argument(fermiac_model(code = "", level = "O7"), "level")
  argument(fermiac_model(code = "", include = "never"), "include")
  argument(fermiac_model(code = "", name = "not a name"), "name")
  argument(fermiac_model(code = "", include_paths = 3), "include_paths")
  argument(schools()$smaple(), "a model has no 'smaple'; it has .*sample")
  argument(schools()[["smaple"]], "has no")
  argument({model <- schools(); model$name <- "x"}, "a model cannot be changed")
  expect_error(fermiac_model("/nonexistent/m.stan"), "/nonexistent/m.stan", class = "fermiac_compilation_error")
})

test_that("objects that were saved say so in the next session", {
  file <- tempfile()
  on.exit(unlink(file))
  bound <- normal()
  saveRDS(list(bound, fermiac_rng(3), schools()), file)
  # In this session a copy is another key to the same model.
  expect_equal(readRDS(file)[[1]]$log_density(c(0, 0)), bound$log_density(c(0, 0)))
  session <- fermiac:::session
  before <- mget(c("id", "live"), envir = session)
  on.exit(list2env(before, session), add = TRUE)
  session$id <- "another"
  session$live <- new.env(parent = emptyenv())
  loaded <- readRDS(file)
  expect_error(loaded[[1]]$log_density(c(0, 0)), "another session", class = "fermiac_argument_error")
  expect_error(loaded[[1]]$sample(), "another session", class = "fermiac_argument_error")
  expect_error(loaded[[3]]$bind(schools_data), "another session", class = "fermiac_argument_error")
  expect_output(print(loaded[[1]]), "normal with data")
})

test_that("objects come and go", {
  before <- length(ls(fermiac:::session$live))
  for (i in 1:50) fermiac_model(code = "parameters { real x; }")$bind()$log_density(1)
  gc()
  gc()
  expect_lt(length(ls(fermiac:::session$live)), before + 20)
})
