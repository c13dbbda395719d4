# Values of R as JSON in the shape of Stan's data, and back.

parse_json <- function(text) jsonlite::fromJSON(text, simplifyVector = FALSE)

json_text <- function(text) as.character(jsonlite::toJSON(enc2utf8(text), auto_unbox = TRUE))

# A text that is JSON already, among options.
as_json <- function(text) structure(text, class = "fermiac_json")

# Of JSON texts; a list's names are the members' names.
json_object <- function(members) {
  if (length(members) == 0) return("{}")
  names <- vapply(names(members), json_text, "")
  paste0("{", paste0(names, ":", unlist(members, use.names = FALSE), collapse = ","), "}")
}

json_array <- function(items) paste0("[", paste(unlist(items, use.names = FALSE), collapse = ","), "]")

# A value as a variable of this type. `type` NULL: whatever it looks like. With `missing` NA is a number that is not known; one NA
# alone is a whole variable of these. Raises errors of class fermiac_data_error that name `what`.
value_json <- function(value, type, what, missing = FALSE) {
  refuse_odd(value, what)
  if (missing && is.atomic(value) && identical(is_missing(as.vector(value)), TRUE)) return("null")
  if (is.data.frame(value)) value <- numbers_of_frame(value, what)
  if (is.list(value)) list_json(value, type, what, missing) else number_json(value, type, what, missing)
}

# What is no number, or whose numbers mean something else.
refuse_odd <- function(value, what) {
  bad <- function(...) fail("data", paste0(what, " is ", ...))
  if (is.null(value)) bad("NULL, but must be a number, an array or a list of them")
  if (is.factor(value)) bad("a factor, but must be numbers: as.integer() gives the numbers of its levels")
  if (inherits(value, c("Date", "POSIXt", "difftime", "integer64"))) {
    bad("of class ", class(value)[1], ", but must be numbers: as.numeric() gives them")
  }
  if (isS4(value)) bad("of class ", class(value)[1], ", but must be numbers: as.matrix() may give them")
  if (!is.list(value) && !is.numeric(value) && !is.logical(value) && !is.complex(value)) {
    bad(shown(value), ", but must be a number, an array or a list of them")
  }
}

numbers_of_frame <- function(frame, what) {
  for (name in names(frame)) refuse_odd(frame[[name]], paste0(what, "$", name))
  if (any(vapply(frame, is.list, NA))) fail("data", paste0(what, " is a data frame with lists as columns, but must have numbers"))
  unname(as.matrix(frame))
}

list_json <- function(value, type, what, missing) {
  rank <- if (is.null(type)) 1L else length(type$dims)
  if (rank == 0) {
    if (type$base != "tuple") fail("data", paste0(what, " is a list, but must be one number"))
    return(tuple_json(value, type, what, missing))
  }
  item <- if (!is.null(type)) element_type(type)
  json_array(lapply(seq_along(value), function(i) value_json(value[[i]], item, sprintf("%s[[%d]]", what, i), missing)))
}

tuple_json <- function(value, type, what, missing) {
  n <- length(type$slots)
  if (length(value) != n) fail("data", sprintf("%s is a list of %d, but must be a tuple of %d", what, length(value), n))
  slots <- lapply(seq_len(n), function(i) value_json(value[[i]], type$slots[[i]], sprintf("%s[[%d]]", what, i), missing))
  json_object(stats::setNames(slots, seq_len(n)))
}

number_json <- function(value, type, what, missing) {
  if (!missing) refuse_missing(value, what)
  if (identical(type$base, "tuple")) {
    fail("data", paste0(what, " is ", shown(value), ", but must be a tuple: a list of its values"))
  }
  dims <- dim(value)
  # A vector of one is a number of R. What the program declares says which it is.
  scalar <- is.null(dims) && length(value) == 1 && (is.null(type) || length(type$dims) == 0)
  if (is.null(dims)) dims <- if (scalar) integer() else length(value)
  whole_apart <- is.null(type) && is.double(value) # f(int) and f(real) may be different functions
  if (!is.null(type) && length(value) > 0) refuse_rank(length(dims), length(type$dims), value, what)
  if (identical(type$base, "complex") || is.complex(value)) return(complex_json(value, dims))
  numbers_json(value, dims, reals = whole_apart)
}

# A matrix of one column is no vector: scale() and the like make them, and the library would speak of lists.
refuse_rank <- function(found, declared, value, what) {
  if (found == declared) return(invisible())
  must <- c("be one number", "be a vector", "be a matrix")[declared + 1]
  if (is.na(must)) must <- sprintf("have %d dimensions", declared)
  fail("data", sprintf("%s has %s, but must %s", what, size_text(value), must))
}

# Real and imaginary part are a last dimension.
complex_json <- function(value, dims) numbers_json(c(Re(value), Im(value)), c(dims, 2))

# By the library, which writes every double so that it is the same when it is read.
numbers_json <- function(value, dims, reals = FALSE) {
  ask_text("json_array", as.double(value), as.double(dims), length(dims), as.integer(reals))
}

is_missing <- function(value) is.na(value) & !is.nan(value)

refuse_missing <- function(value, what) {
  if (!anyNA(value)) return(invisible())
  missing <- is_missing(value)
  if (!any(missing)) return(invisible())
  first <- which(missing)[1]
  at <- if (is.null(dim(value))) first else arrayInd(first, dim(value))
  where <- if (length(value) == 1) "" else sprintf("[%s]", paste(at, collapse = ", "))
  fail("data", sprintf("%s%s is NA, but only data may be missing", what, where))
}

# The value of an option: words, TRUE, FALSE, numbers, vectors of them.
option_json <- function(value, what) {
  if (is.character(value)) {
    if (anyNA(value)) refuse("%s is NA", what)
    texts <- vapply(value, json_text, "", USE.NAMES = FALSE)
  } else if (is.logical(value) && is.null(dim(value))) {
    if (anyNA(value)) refuse("%s is NA, but must be TRUE or FALSE", what)
    texts <- ifelse(value, "true", "false")
  } else if (is.numeric(value) && !is.factor(value)) {
    if (anyNA(value)) refuse("%s is NA, but must be a number", what)
    return(numbers_json(value, if (length(value) != 1) length(value)))
  } else {
    refuse("%s is %s, but must be a number, a text, TRUE or FALSE", what, shown(value))
  }
  if (length(texts) == 1) texts else json_array(texts)
}

# A value of a function's result, from what parse_json made of it. Sizes come from the value.
result_value <- function(type, json) {
  if (type$base == "tuple") {
    if (length(type$dims) > 0) return(lapply(json, function(item) result_value(element_type(type), item)))
    return(Map(function(slot, i) result_value(slot, json[[as.character(i)]]), type$slots, seq_along(type$slots)))
  }
  rank <- length(type$dims)
  numbers <- rapply(list(json), as.numeric, how = "unlist")
  if (is.null(numbers)) numbers <- numeric()
  if (type$base == "complex") numbers <- complex_of(numbers)
  if (type$base == "int") numbers <- as.integer(numbers)
  if (rank < 2) return(numbers)
  dims <- extents(json, rank)
  aperm(array(numbers, rev(dims)), rev(seq_len(rank))) # JSON has the last dimension innermost
}

# Of real and imaginary parts in turn.
complex_of <- function(numbers) {
  at <- 2L * seq_len(length(numbers) %/% 2L)
  complex(real = numbers[at - 1L], imaginary = numbers[at])
}

# Of nested lists; 0 where an outer one is empty.
extents <- function(json, rank) {
  out <- integer(rank)
  for (i in seq_len(rank)) {
    out[i] <- length(json)
    json <- if (length(json) > 0) json[[1]]
  }
  out
}
