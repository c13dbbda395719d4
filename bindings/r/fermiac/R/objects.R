# Objects with members: x$name is a value or a function. What does not exist is an error rather than NULL.

new_object <- function(class, members) {
  object <- list2env(members, parent = emptyenv())
  lockEnvironment(object, bindings = TRUE)
  structure(object, class = c(class, "fermiac_object"))
}

`$.fermiac_object` <- function(x, name) {
  value <- .subset2(x, name) # no member is NULL
  if (is.null(value)) refuse("a %s has no '%s'; it has %s", kind_of(x), name, paste(ls(x), collapse = ", "))
  value
}

`[[.fermiac_object` <- function(x, i, ...) {
  if (!is.character(i) || length(i) != 1 || is.na(i)) refuse("members have names, not %s", shown(i))
  `$.fermiac_object`(x, i)
}

kind_of <- function(x) sub("^fermiac_", "", class(x)[1])

unchangeable <- function(x) refuse("a %s cannot be changed", kind_of(x))
`$<-.fermiac_object` <- function(x, name, value) unchangeable(x)
`[[<-.fermiac_object` <- function(x, i, value) unchangeable(x)

# A value in a message.
shown <- function(value) {
  text <- paste(trimws(deparse(value, width.cutoff = 60L, nlines = 2L)), collapse = " ")
  if (nchar(text) > 60) text <- paste0(substr(text, 1, 57), "...")
  sprintf("%s (%s)", text, class(value)[1])
}

size_text <- function(value) {
  if (is.null(dim(value))) sprintf("%d numbers", length(value)) else paste("dimensions", paste(dim(value), collapse = " x "))
}

flag <- function(value, what) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) refuse("%s is %s, but must be TRUE or FALSE", what, shown(value))
  value
}
