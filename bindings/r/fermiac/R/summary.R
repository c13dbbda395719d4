# Tables of means, intervals and diagnostics: data frames with one row for each number.

summary_columns <- c("mean", "mcse", "sd", "mad", "q5", "q50", "q95", "ess_bulk", "ess_tail", "rhat")

as_summary <- function(variables, columns, title) {
  structure(data.frame(variable = variables, columns, stringsAsFactors = FALSE), class = c("fermiac_summary", "data.frame"),
            title = title)
}

# From the result of a run of `sample`.
summary_of_library <- function(rows, title) {
  columns <- lapply(stats::setNames(nm = summary_columns), function(column) vapply(rows, function(r) as.numeric(r[[column]]), 0))
  as_summary(pretty_names(vapply(rows, function(r) r$name, "")), columns, title)
}

# Of independent draws [draws, columns]: no diagnostics of chains.
summary_of_draws <- function(names, draws, title) {
  each <- function(f) vapply(seq_len(ncol(draws)), function(j) if (nrow(draws) > 0) as.numeric(f(draws[, j])) else NA_real_, 0)
  columns <- list(mean = each(mean), mcse = each(function(x) stats::sd(x) / sqrt(length(x))), sd = each(stats::sd),
                  mad = each(stats::mad), q5 = each(function(x) stats::quantile(x, 0.05)), q50 = each(stats::median),
                  q95 = each(function(x) stats::quantile(x, 0.95)), ess_bulk = NA_real_, ess_tail = NA_real_, rhat = NA_real_)
  as_summary(pretty_names(names), columns, title)
}

print.fermiac_summary <- function(x, ...) {
  if (!is.null(attr(x, "title"))) cat(attr(x, "title"), "\n", sep = "")
  shown <- as.data.frame(x)
  class(shown) <- "data.frame"
  row.names(shown) <- NULL
  used <- vapply(shown, function(column) !all(is.na(column)), NA)
  shown <- shown[, used | names(shown) == "variable", drop = FALSE]
  for (name in setdiff(names(shown), "variable")) shown[[name]] <- summary_cells(name, shown[[name]])
  print(shown, row.names = FALSE, right = TRUE)
  invisible(x)
}

summary_cells <- function(column, x) {
  if (!is.numeric(x)) return(x)
  text <- if (startsWith(column, "ess")) sprintf("%.0f", x) else if (column == "rhat") sprintf("%.3f", x) else sprintf("%.3g", x)
  ifelse(is.na(x), "", text)
}
