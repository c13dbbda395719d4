# Options of every method as the library lists them, hyphens as underscores; signatures and fermiac_options() come from them.
# The library checks values.

# What this package knows and the library does not.
own_options <- c(progress = "one line that is updated (default: in the console and in terminals)")

# By method: what it does, and kind and help text of its options by name. Read from the library once.
method_table <- function() {
  if (is.null(session$methods)) session$methods <- lapply(parse_json(ask_text("methods_json")), read_method)
  session$methods
}

read_method <- function(described) {
  # Required options are arguments of the function. `keep` is left out, because R has no callback for rows.
  rows <- Filter(function(row) !row$required && row$name != "keep", described$options)
  named <- function(what) stats::setNames(vapply(rows, function(row) row[[what]], ""), vapply(rows, function(row) row$name, ""))
  list(about = described$about, kinds = named("kind"), options = c(named("about"), own_options))
}

method_options <- function(method) method_table()[[method]]$options

# Options that are files or folders; a tilde is the user's home to R.
path_options <- function(method) {
  kinds <- method_table()[[method]]$kinds
  names(kinds)[kinds %in% c("file", "values")]
}

fermiac_options <- function(method = "sample") {
  if (!is.character(method) || length(method) != 1 || !method %in% names(method_table())) {
    refuse("there is no method %s; there are %s", shown(method), paste(names(method_table()), collapse = ", "))
  }
  rows <- method_options(method)
  structure(data.frame(option = names(rows), about = unname(rows), stringsAsFactors = FALSE),
            class = c("fermiac_options", "data.frame"))
}

print.fermiac_options <- function(x, ...) {
  cat(sprintf("%-*s  %s\n", max(nchar(x$option)), x$option, x$about), sep = "")
  invisible(x)
}

# A function of `first` and the method's options, all by their names. It calls run(arguments) with those that are not NULL.
with_options <- function(method, first, run) {
  options <- names(method_options(method))
  out <- function(...) run(given_arguments(as.list(environment()), list(...)))
  # Behind ... names are whole and nothing goes by position.
  formals(out) <- c(first, alist(... = ), stats::setNames(rep(list(NULL), length(options)), options))
  out
}

# `more`, what `...` has, goes on to the library, which says that there is no such option.
given_arguments <- function(arguments, more) {
  if (length(more) > 0 && (is.null(names(more)) || any(names(more) == ""))) refuse("options are given by their names")
  Filter(Negate(is.null), c(arguments, more))
}
