# Variables of a model, and where their numbers lie among the columns of a table.

block_names <- c("parameters", "transformed parameters", "generated quantities")

# One row for each declared variable: name, type with its sizes, block, and its numbers [first, first + count), from 0.
variables_of <- function(info) {
  all <- info$variables
  column <- function(name, kind) vapply(all, function(v) v[[name]], kind)
  data.frame(
    name = column("name", ""), type = column("type", ""), block = column("block", ""),
    first = vapply(all, function(v) as.numeric(v$first), 0), count = vapply(all, function(v) as.numeric(v$count), 0),
    stringsAsFactors = FALSE
  )
}

# Of the `variables` those that have a place among `columns`: their types and first columns by name. `names` are those of all
# numbers that the program declares.
layout_of <- function(variables, names, columns) {
  at <- ifelse(variables$count > 0, match(names[variables$first + 1], columns), 1)
  found <- which(!is.na(at))
  places <- lapply(found, function(i) list(type = parse_type(variables$type[i]), at = at[i]))
  list(columns = columns, places = stats::setNames(places, variables$name[found]))
}

# Columns of no variable: lp__ and the sampler's.
lead_columns <- function(layout) {
  taken <- unlist(lapply(layout$places, function(p) p$at + seq_len(type_size(p$type)) - 1))
  layout$columns[setdiff(seq_along(layout$columns), taken)]
}

place_named <- function(layout, name) {
  if (!is.character(name) || length(name) != 1 || is.na(name)) refuse("the name of a variable is one text, not %s", shown(name))
  if (name %in% names(layout$places)) return(layout$places[[name]])
  if (name %in% layout$columns) return(list(type = stan_type("real"), at = match(name, layout$columns)))
  refuse("no variable '%s'; there are %s", name, paste(c(names(layout$places), lead_columns(layout)), collapse = ", "))
}

# "theta.1.2" of a table's header as a program writes it, "theta[1,2]"; slots of tuples follow dots.
pretty_names <- function(names) {
  parts <- strsplit(names, ":", fixed = TRUE)
  vapply(parts, function(p) paste(vapply(p, pretty_part, ""), collapse = "."), "", USE.NAMES = FALSE)
}

pretty_part <- function(part) {
  words <- strsplit(part, ".", fixed = TRUE)[[1]]
  numbers <- grepl("^[0-9]+$", words)
  numbers[1] <- FALSE
  indices <- if (any(numbers)) sprintf("[%s]", paste(words[numbers], collapse = ",")) else ""
  rest <- words[!numbers][-1]
  paste(c(paste0(if (grepl("^[0-9]+$", words[1])) words[1] else words[1], indices), rest), collapse = ".")
}

# "theta" of "theta[1,2]" and "t" of "t[1].2"
base_names <- function(pretty) sub("(\\[|[.]).*$", "", pretty)

# Points in rows; a vector is one. Raises errors that name `what`.
as_points <- function(value, n, what) {
  if (is.data.frame(value)) value <- numbers_of_frame(value, what)
  if (!is.numeric(value) || is.factor(value)) refuse("%s is %s, but must be numbers", what, shown(value))
  if (is.null(dim(value)) || length(dim(value)) == 1) value <- matrix(as.numeric(value), nrow = 1)
  if (length(dim(value)) != 2 || ncol(value) != n) {
    has <- size_text(if (nrow(value) == 1) as.vector(value) else value)
    refuse("%s has %s, but must have %d, or be a matrix with points in its rows", what, has, n)
  }
  storage.mode(value) <- "double"
  value
}

is_one_point <- function(value) is.null(dim(value)) || length(dim(value)) == 1
