source_folder <- Sys.getenv("FERMIAC_R_SOURCE", unset = file.path("..", "fermiac"))

test_that("manual pages are well-formed and complete", {
  for (page in list.files(file.path(source_folder, "man"), pattern = "[.]Rd$", full.names = TRUE)) {
    expect_length(unclass(tools::checkRd(page)), 0)
  }
  expect_length(unlist(tools::undoc("fermiac")), 0)
  expect_length(unlist(tools::codoc("fermiac")), 0)
  expect_length(unlist(tools::checkDocFiles("fermiac")), 0)
})

test_that("what objects have is in the manual", {
  pages <- function(name) paste(readLines(file.path(source_folder, "man", name)), collapse = "\n")
  members <- function(x, page) {
    # Methods that the package does not know are members as the library has them.
    plain <- setdiff(names(fermiac:::method_table()), names(fermiac:::methods))
    for (name in setdiff(ls(x), plain)) expect_true(grepl(paste0("$", name), pages(page), fixed = TRUE), label = paste(name, "in", page))
  }
  model <- fermiac_model(code = "parameters { real x; } model { x ~ normal(0, 1); }")
  members(model, "fermiac_model.Rd")
  members(model$bind(), "fermiac_bound_model.Rd")
  members(model$sample(seed = 1, samples = 10, no_summary = TRUE), "fermiac_fit.Rd")
  members(model$optimize(seed = 1), "fermiac_fit.Rd")
  members(model$pathfinder(seed = 1), "fermiac_fit.Rd")
})

test_that("the version is that of the project", {
  lines <- readLines(file.path(root, "bindings", "c", "fermiac.h"))
  number <- function(part) sub(".* ", "", grep(sprintf("#define FERMIAC_VERSION_%s ", part), lines, value = TRUE))
  expected <- paste(number("MAJOR"), number("MINOR"), number("PATCH"), sep = ".")
  expect_equal(as.character(utils::packageVersion("fermiac")), expected)
  expect_equal(fermiac:::abi, as.integer(sub(".* ", "", grep("#define FERMIAC_ABI ", lines, value = TRUE))))
})
