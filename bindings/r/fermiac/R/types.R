# Types of Stan: a list with `base` ("int", "real", "complex", "tuple", "void"), `dims` (sizes of arrays, then of vectors and
# matrices; of tuples those of arrays alone; NA where they are not known) and `slots`, the types in a tuple.

stan_type <- function(base, dims = integer(), slots = list()) list(base = base, dims = dims, slots = slots)

containers <- c(vector = 1L, row_vector = 1L, matrix = 2L)

# From a text, "array[2] tuple(real, vector[3])", "array[,] int".
parse_type <- function(text) {
  found <- read_type(type_tokens(text))
  if (length(found$rest) > 0) stop("a type ends too late: ", text)
  found$type
}

type_tokens <- function(text) regmatches(text, gregexpr("[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[][(),]", text))[[1]]

# The type that the tokens begin with, and the tokens behind it.
read_type <- function(tokens) {
  array <- list(sizes = integer(), rest = tokens)
  if (tokens[1] == "array") array <- read_sizes(tokens[-1])
  word <- array$rest[1]
  rest <- array$rest[-1]
  if (word == "tuple") {
    slots <- read_list(rest, read_type)
    return(list(type = stan_type("tuple", array$sizes, lapply(slots$items, `[[`, "type")), rest = slots$rest))
  }
  name <- sub("^complex_", "", word)
  inner <- list(sizes = rep(NA_integer_, if (name %in% names(containers)) containers[[name]] else 0L), rest = rest)
  if (length(rest) > 0 && rest[1] == "[") inner <- read_sizes(rest)
  base <- if (startsWith(word, "complex")) "complex" else if (name %in% names(containers)) "real" else word
  list(type = stan_type(base, c(array$sizes, inner$sizes)), rest = inner$rest)
}

# "[2,3]" or "[,]"
read_sizes <- function(tokens) {
  end <- match("]", tokens)
  inside <- tokens[seq_len(end - 1)][-1]
  sizes <- rep(NA_integer_, sum(inside == ",") + 1L)
  at <- cumsum(inside == ",") + 1L
  sizes[at[inside != ","]] <- as.integer(inside[inside != ","])
  list(sizes = sizes, rest = tokens[-seq_len(end)])
}

# "(a, b)": read(tokens) gives each, with `rest`.
read_list <- function(tokens, read) {
  items <- list()
  tokens <- tokens[-1]
  while (tokens[1] != ")") {
    item <- read(tokens)
    items <- c(items, list(item))
    tokens <- if (item$rest[1] == ",") item$rest[-1] else item$rest
  }
  list(items = items, rest = tokens[-1])
}

# From the compiler's description, {"type": "real", "dimensions": 1}, where tuples have a list of descriptions.
described_type <- function(json) {
  dims <- rep(NA_integer_, json$dimensions)
  if (is.list(json$type)) stan_type("tuple", dims, lapply(json$type, described_type)) else stan_type(json$type, dims)
}

element_type <- function(type) stan_type(type$base, type$dims[-1], type$slots)

# How many numbers a value has.
type_size <- function(type) {
  each <- switch(type$base, tuple = sum(vapply(type$slots, type_size, 0)), complex = 2, 1)
  prod(type$dims) * each
}

# Where the slots of a tuple begin, relative to the tuple.
slot_offsets <- function(type) c(0, cumsum(vapply(type$slots, type_size, 0)))[seq_along(type$slots)]

# Values of a variable among the columns of `numbers`, one row a point; its numbers begin at the columns `begins`. They are
# column-major over dimensions, tuples slot by slot, real and imaginary parts side by side. An array [lead, outer, dims]; of
# tuples a list of arrays, slot by slot.
take_values <- function(type, numbers, begins, lead, outer = integer()) {
  count <- prod(type$dims)
  each <- type_size(type) / max(count, 1)
  at <- as.vector(outer(begins, (seq_len(count) - 1) * each, `+`))
  dims <- c(outer, type$dims)
  if (type$base == "tuple") {
    return(Map(function(slot, offset) take_values(slot, numbers, at + offset, lead, dims), type$slots, slot_offsets(type)))
  }
  shaped(scalars(type, numbers, at), c(lead, dims))
}

scalars <- function(type, numbers, at) {
  found <- as.vector(numbers[, at])
  if (type$base == "complex") return(complex(real = found, imaginary = as.vector(numbers[, at + 1])))
  if (type$base == "int" && all(is.finite(found)) && all(abs(found) <= .Machine$integer.max)) return(as.integer(found))
  found
}

shaped <- function(values, dims) if (length(dims) > 1) array(values, dims) else values

# The values of one point as data have them: arrays of tuples are lists of tuples.
value_of <- function(type, numbers, begin) {
  if (type$base != "tuple") return(take_values(type, matrix(numbers, nrow = 1), begin, integer()))
  if (length(type$dims) == 0) {
    return(Map(function(slot, offset) value_of(slot, numbers, begin + offset), type$slots, slot_offsets(type)))
  }
  # Of several dimensions the first is the fastest, so elements of the first are apart by one tuple, and inner ones by more.
  each <- sum(vapply(type$slots, type_size, 0))
  tuples_of(stan_type("tuple", integer(), type$slots), type$dims, each, numbers, begin)
}

tuples_of <- function(tuple, dims, stride, numbers, begin) {
  lapply(seq_len(dims[1]) - 1, function(i) {
    at <- begin + i * stride
    if (length(dims) == 1) value_of(tuple, numbers, at) else tuples_of(tuple, dims[-1], stride * dims[1], numbers, at)
  })
}
