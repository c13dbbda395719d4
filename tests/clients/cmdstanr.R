# The tests of cmdstanr in this folder that need neither a network nor a C++ compiler. The argument is the list of those
# whose failure is known, `FILE: TEST  # why`; any other failure is an error.
suppressMessages({library(testthat); library(cmdstanr)})
lines <- sub(" *#.*", "", readLines(commandArgs(TRUE)[1]))
lines <- lines[nzchar(lines)]
left_out <- sub(":$", "", grep(":$", lines, value = TRUE))
files <- sub("^test-(.*)[.]R$", "\\1", list.files(pattern = "^test-.*[.]R$"))
known <- lines[!grepl(":$", lines)]
total <- c(checks = 0, known = 0, unknown = 0)
for (file in setdiff(files, left_out)) {
  results <- as.data.frame(test_file(paste0("test-", file, ".R"), reporter = "silent", package = "cmdstanr",
                                     stop_on_failure = FALSE))
  bad <- results[results$failed > 0 | results$error, ]
  names <- if (nrow(bad) > 0) paste0(file, ": ", bad$test) else character()
  total <- total + c(sum(results$nb), sum(names %in% known), sum(!(names %in% known)))
  cat(sprintf("%-30s %4d checks, %d failed\n", file, sum(results$nb), sum(bad$failed + bad$error)))
  for (name in setdiff(names, known)) cat("  NEW:", name, "\n")
}
cat(sprintf("%d checks, tests that fail: %d known, %d not\n", total[1], total[2], total[3]))
quit(status = if (total[3] > 0) 1 else 0)
