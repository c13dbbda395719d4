# Draws as the CSV files that `generate` reads.

# Calls run(paths): with the files given, or with temporary ones that have the draws of a fit, one for each chain.
with_draws_files <- function(source, run) {
  if (is.character(source) && length(source) > 0 && !anyNA(source)) return(run(path.expand(source)))
  if (!inherits(source, "fermiac_fit")) refuse("draws are a fit or paths of CSV files, not %s", class(source)[1])
  folder <- tempfile("fermiac")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  paths <- file.path(folder, sprintf("draws_%d.csv", seq_along(source$chains)))
  Map(write_draws, source$chains, paths)
  run(paths)
}

write_draws <- function(rows, path) {
  lines <- if (nrow(rows) > 0) do.call(paste, c(lapply(seq_len(ncol(rows)), function(j) sprintf("%.17g", rows[, j])), sep = ","))
  writeLines(c(paste(colnames(rows), collapse = ","), lines), path)
}
