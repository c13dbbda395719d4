# Objects with members: x$name is a value or a function. What does not exist is an error rather than NULL.

new_object <- function(class, members) {
  object <- list2env(members, parent = emptyenv())
  lockEnvironment(object, bindings = TRUE)
  structure(object, class = c(class, "fermiac_object"))
}

member <- function(x, name) {
  if (!is.character(name) || length(name) != 1) refuse("members have names, not %s", shown(name))
  if (!exists(name, envir = x, inherits = FALSE)) {
    refuse("a %s has no '%s'; it has %s", sub("^fermiac_", "", class(x)[1]), name, paste(ls(x), collapse = ", "))
  }
  get(name, envir = x, inherits = FALSE)
}

`$.fermiac_object` <- function(x, name) member(x, name)
`[[.fermiac_object` <- function(x, i, ...) member(x, i)

unchangeable <- function(x) refuse("a %s cannot be changed", sub("^fermiac_", "", class(x)[1]))
`$<-.fermiac_object` <- function(x, name, value) unchangeable(x)
`[[<-.fermiac_object` <- function(x, i, value) unchangeable(x)

# A value in a message.
shown <- function(value) {
  text <- paste(trimws(deparse(value, width.cutoff = 60L, nlines = 2L)), collapse = " ")
  if (nchar(text) > 60) text <- paste0(substr(text, 1, 57), "...")
  sprintf("%s (%s)", text, class(value)[1])
}

flag <- function(value, what) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) refuse("%s is %s, but must be TRUE or FALSE", what, shown(value))
  value
}
