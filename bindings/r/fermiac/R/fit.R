# What methods leave: draws by variable, summaries, diagnostics. Nothing here refers to the library: fits can be saved.

# `tables`: matrices [draws, columns], one a chain. Chains of a run that was stopped may have different lengths: draws go as far
# as all that have any.
fit_members <- function(outcome, layout, model, tables = outcome$rows) {
  result <- outcome$result
  draws <- aligned(tables, layout$columns)
  title <- sprintf("%s of %s: %d chain%s of %d draws", result$method, model, dim(draws)[2], if (dim(draws)[2] == 1) "" else "s",
                   dim(draws)[1])
  list(
    method = result$method, model = model, seed = result$seed, seconds = result$seconds, title = title,
    messages = outcome$messages, stopped = outcome$why_stopped, columns = layout$columns,
    variables = names(layout$places), chains = lapply(tables, function(t) named_columns(t, layout$columns)),
    draws = function(variables = NULL, plain = FALSE) draws_of(draws, layout, variables, plain),
    values = function(name) values_of(draws, layout, name),
    diagnostics = function(plain = FALSE) selected(draws, layout$columns %in% setdiff(lead_columns(layout), "lp__"), plain),
    summary = function(variables = NULL) {
      rows <- if (is.null(result$summary)) {
        summary_of_draws(layout$columns, matrix(draws, ncol = dim(draws)[3]), title)
      } else {
        summary_of_library(result$summary, title)
      }
      matching(rows, variables)
    }
  )
}

new_fit <- function(members, class = character()) new_object(c(class, "fermiac_fit"), members)

named_columns <- function(table, columns) {
  colnames(table) <- columns
  table
}

# [draw, chain, column]
aligned <- function(tables, columns) {
  begun <- Filter(function(t) nrow(t) > 0, tables)
  if (length(begun) == 0) begun <- tables
  n <- if (length(begun) > 0) min(vapply(begun, nrow, 0L)) else 0L
  out <- array(NA_real_, c(n, length(begun), length(columns)),
               list(iteration = NULL, chain = seq_along(begun), variable = columns))
  for (i in seq_along(begun)) out[, i, ] <- begun[[i]][seq_len(n), ]
  out
}

# lp__ and the variables, or some of them, by their names in the program: "theta" or "theta[1]".
draws_of <- function(draws, layout, variables, plain) {
  pretty <- pretty_names(layout$columns)
  wanted <- !layout$columns %in% setdiff(lead_columns(layout), "lp__")
  if (!is.null(variables)) wanted <- pretty %in% named_numbers(pretty, variables)
  selected(draws, wanted, plain)
}

# The numbers that these names mean.
named_numbers <- function(pretty, variables) {
  if (!is.character(variables) || anyNA(variables)) refuse("variables are texts, not %s", shown(variables))
  bases <- base_names(pretty)
  unknown <- setdiff(variables, c(pretty, bases))
  if (length(unknown) > 0) refuse("no variable '%s'; there are %s", unknown[1], paste(unique(bases), collapse = ", "))
  pretty[pretty %in% variables | bases %in% variables]
}

selected <- function(draws, wanted, plain) {
  out <- draws[, , wanted, drop = FALSE]
  dimnames(out)$variable <- pretty_names(dimnames(out)$variable)
  if (flag(plain, "plain") || !has_posterior()) out else as_posterior(out)
}

# [draw, chain, dimensions of the variable]
values_of <- function(draws, layout, name) {
  place <- place_named(layout, name)
  dims <- dim(draws)
  take_values(place$type, matrix(draws, nrow = dims[1] * dims[2]), place$at, unname(dims[1:2]))
}

# The values at one row of a table, as data have them.
row_values <- function(layout, row) lapply(layout$places, function(place) value_of(place$type, row, place$at))

matching <- function(summary, variables) {
  if (is.null(variables)) return(summary)
  summary[summary$variable %in% named_numbers(summary$variable, variables), , drop = FALSE]
}

sample_fit <- function(outcome, layout, model) {
  members <- fit_members(outcome, layout, model)
  problems <- outcome$result$problems
  divergent <- match("divergent__", layout$columns)
  new_fit(class = "fermiac_sample", c(members, list(
    warmup = lapply(outcome$warmup, named_columns, columns = layout$columns),
    problems = if (is.null(problems)) "" else as_options_of_r(problems),
    divergences = if (is.na(divergent)) 0 else sum(vapply(outcome$rows, function(t) sum(t[, divergent]), 0))
  )))
}

# "--adapt-delta" of the command line is "adapt_delta" here.
as_options_of_r <- function(text) {
  at <- gregexpr("--[a-z][a-z-]*", text)
  regmatches(text, at) <- lapply(regmatches(text, at), function(found) gsub("-", "_", sub("^--", "", found)))
  text
}

# `values`: those of one point, by name.
point_fit <- function(class, outcome, layout, model, row, tables) {
  members <- fit_members(outcome, layout, model, tables)
  point <- row_values(layout, row)
  density <- match("lp__", layout$columns)
  new_fit(class = class, c(members, list(point = point, log_density = if (is.na(density)) NA_real_ else unname(row[density]))))
}

# Where the iterations were saved the optimum is the last of them.
optimum_fit <- function(outcome, layout, model) {
  table <- outcome$rows[[1]]
  point_fit("fermiac_optimum", outcome, layout, model, table[nrow(table), ], outcome$rows)
}

# The first row is the centre of the approximation.
variational_fit <- function(outcome, layout, model) {
  table <- outcome$rows[[1]]
  point_fit("fermiac_variational", outcome, layout, model, table[1, ], list(table[-1, , drop = FALSE]))
}

pathfinder_fit <- function(outcome, layout, model) {
  paths <- lapply(outcome$rows[-1], function(rows) new_fit(fit_members(outcome, layout, model, list(rows))))
  new_fit(class = "fermiac_pathfinder", c(fit_members(outcome, layout, model, outcome$rows[1]), list(paths = paths)))
}

draws_fit <- function(outcome, layout, model) new_fit(fit_members(outcome, layout, model))

print.fermiac_fit <- function(x, ...) {
  cat(x$title, "\n", sep = "")
  if (nzchar(x$stopped)) cat("stopped: ", x$stopped, "\n", sep = "")
  cat("variables: ", paste(x$variables, collapse = ", "), "\n", sep = "")
  if (inherits(x, "fermiac_sample") && nzchar(x$problems)) cat(sub("\n+$", "", x$problems), "\n", sep = "")
  invisible(x)
}

print.fermiac_optimum <- function(x, ...) {
  cat(sprintf("optimum of %s: lp__ = %s\n", x$model, format(x$log_density, digits = 6)))
  if (nzchar(x$stopped)) cat("stopped: ", x$stopped, "\n", sep = "")
  print(x$point)
  invisible(x)
}

summary.fermiac_fit <- function(object, variables = NULL, ...) object$summary(variables)

# One row for each draw, chain and iteration first.
as.data.frame.fermiac_fit <- function(x, row.names = NULL, optional = FALSE, ...) {
  draws <- x$draws(plain = TRUE)
  n <- dim(draws)
  out <- as.data.frame(matrix(draws, ncol = n[3], dimnames = list(NULL, dimnames(draws)$variable)), optional = TRUE)
  data.frame(chain = rep(seq_len(n[2]), each = n[1]), iteration = rep(seq_len(n[1]), n[2]), out, row.names = row.names,
             check.names = FALSE)
}

print.fermiac_diagnosis <- function(x, ...) {
  cat(trimws(x, whitespace = "\n"), "\n", sep = "")
  invisible(x)
}
