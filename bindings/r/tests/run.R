# Usage: run.R FOLDER FOLDER [PATTERN]. Runs the tests in both; fails where one does.
arguments <- commandArgs(TRUE)
library(testthat)
library(fermiac)
pattern <- if (length(arguments) > 2) arguments[3]
failed <- 0
for (folder in arguments[1:2]) {
  files <- basename(list.files(folder, pattern = "^test-.*[.]R$"))
  if (!is.null(pattern) && !any(grepl(pattern, files))) next
  results <- as.data.frame(test_dir(folder, filter = pattern, reporter = "check", package = "fermiac", load_package = "installed",
                                    stop_on_failure = FALSE, stop_on_warning = FALSE))
  failed <- failed + sum(results$failed) + sum(results$error) + sum(results$warning)
}
quit(status = if (failed > 0) 1 else 0)
