# Progress of a run: one line that is written over, where a person seems to be looking on.

progress_line <- function(wanted) {
  if (is.null(wanted)) wanted <- interactive() || isatty(stderr())
  if (!flag(wanted, "progress")) return(list(show = function(reports) NULL, end = function() NULL))
  before <- ""
  show <- function(reports) {
    text <- progress_text(reports)
    if (text == before) return(invisible())
    cat("\r", formatC(text, width = -nchar(before)), sep = "", file = stderr())
    before <<- text
  }
  list(show = show, end = function() if (nzchar(before)) cat("\n", file = stderr()))
}

# Of lines "chain done total warmup".
progress_text <- function(reports) {
  lines <- strsplit(reports, "\n", fixed = TRUE)[[1]]
  chains <- lapply(strsplit(lines, " ", fixed = TRUE), as.numeric)
  paste(vapply(chains, function(c) {
    sprintf("%d: %d%%%s", as.integer(c[1] + 1), as.integer((100 * c[2]) %/% max(c[3], 1)), if (c[4] != 0) " warmup" else "")
  }, ""), collapse = "  ")
}
