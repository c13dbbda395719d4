# What can go wrong, as conditions: classes fermiac_*_error and fermiac_*_warning, with the place in the program.

# By the names that the library has for its statuses.
error_classes <- c(
  argument = "fermiac_argument_error", program = "fermiac_compilation_error", data = "fermiac_data_error",
  rejected = "fermiac_rejected_error", fatal = "fermiac_fatal_error", stopped = "fermiac_stopped_error",
  failed = "fermiac_method_error", memory = "fermiac_resource_error", internal = "fermiac_internal_error",
  library = "fermiac_library_error"
)

fermiac_error <- function(kind, message, place = NULL, ...) {
  structure(class = c(error_classes[[kind]], "fermiac_error", "error", "condition"),
            list(message = message, call = NULL, place = place, ...))
}

fail <- function(kind, ...) stop(fermiac_error(kind, ...))

refuse <- function(format, ...) fail("argument", if (...length() > 0) sprintf(format, ...) else format)

# R prints "Warning message:" before the text.
without_headline <- function(message) sub("^Warning in ", "In ", sub("^Warning: ", "", message))

# kind: "program" for the compiler's warnings, "run" for draws that should not be trusted and runs that ended early.
warn <- function(kind, message) {
  warning(structure(class = c(paste0("fermiac_", kind, "_warning"), "fermiac_warning", "warning", "condition"),
                    list(message = without_headline(message), call = NULL)))
}

# The error that the library describes as JSON; without a text, for lack of memory.
error_of_library <- function(text) {
  if (!nzchar(text)) return(fermiac_error("memory", "the system gives no memory"))
  error <- parse_json(text)
  fermiac_error(error$kind, options_with_underscores(error$message), place_of(error$place))
}

# In the list of those that there are.
options_with_underscores <- function(message) {
  at <- regexpr("its options are .*", message)
  regmatches(message, at) <- gsub("-", "_", regmatches(message, at))
  message
}

# A range of a program's text. Lines count from 1, columns from 0 in bytes; the end is the column behind the last.
place_of <- function(json) {
  if (is.null(json)) NULL else structure(json[c("file", "line", "column", "end_line", "end_column")], class = "fermiac_place")
}

format.fermiac_place <- function(x, ...) sprintf("%s:%d:%d", x$file, x$line, x$column)

print.fermiac_place <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

# What the compiler says, one row each; numbers of places are NA where it names none.
diagnostics_of <- function(text) {
  all <- parse_json(text)
  column <- function(name, missing) vapply(all, function(d) d[[name]], missing)
  placed <- function(name, missing) vapply(all, function(d) if (is.null(d$place)) missing else d$place[[name]], missing)
  data.frame(
    id = column("id", ""), name = column("name", ""), severity = column("severity", ""), message = column("message", ""),
    text = column("text", ""), file = placed("file", NA_character_), line = placed("line", NA_integer_),
    column = placed("column", NA_integer_), end_line = placed("end_line", NA_integer_),
    end_column = placed("end_column", NA_integer_), stringsAsFactors = FALSE
  )
}

# All errors of a program in one condition, at the place of the first.
compilation_error <- function(diagnostics) {
  errors <- diagnostics[diagnostics$severity == "error", ]
  place <- as.list(errors[1, c("file", "line", "column", "end_line", "end_column")])
  text <- paste(c("the program does not compile", sub("\n+$", "", errors$text)), collapse = "\n")
  fermiac_error("program", text, if (nrow(errors) > 0 && !is.na(place$line)) place_of(place), diagnostics = diagnostics)
}
