test_that("versions are told", {
  expect_match(fermiac_version(), "^[0-9]+[.][0-9]+[.][0-9]+$")
  expect_equal(fermiac_version()[["fermiac"]], as.character(utils::packageVersion("fermiac")))
  expect_true(file.exists(fermiac_library()))
})

# What a session says that looks for the library there.
looking_at <- function(setting) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(sprintf("library(fermiac, lib.loc = \"%s\")", dirname(system.file(package = "fermiac"))), setting,
               "tryCatch(cat(fermiac_library(), '\n'), fermiac_library_error = function(e) cat(conditionMessage(e)))"), script)
  paste(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE, stderr = TRUE), collapse = "\n")
}

test_that("the library is where somebody says", {
  skip_on_cran()
  expect_match(looking_at(sprintf("options(fermiac.library = \"%s\")", fermiac_library())), fermiac_library(), fixed = TRUE)
  expect_match(looking_at(sprintf("Sys.setenv(FERMIAC_LIBRARY = \"%s\")", fermiac_library())), fermiac_library(), fixed = TRUE)
})

test_that("a library that cannot be loaded is named", {
  skip_on_cran()
  said <- looking_at("options(fermiac.library = '/nonexistent.so')")
  expect_match(said, "could not be loaded:\n.*/nonexistent.so.*\n.*FERMIAC_LIBRARY")
  file <- tempfile(fileext = ".so")
  on.exit(unlink(file))
  writeLines("no library", file)
  expect_match(looking_at(sprintf("options(fermiac.library = '%s')", file)), basename(file), fixed = TRUE)
  other <- Sys.glob(file.path(R.home("lib"), "libR.so"))
  skip_if(length(other) == 0)
  expect_match(looking_at(sprintf("options(fermiac.library = '%s')", other)), "no entry points for R")
})
