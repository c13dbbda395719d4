# A Stan program.

fermiac_model <- function(path = NULL, code = NULL, name = NULL, include_paths = character(), include = "anywhere",
                          level = "O0") {
  if (is.null(path) == is.null(code)) refuse("a model is made of a path or of code = ..., one of them")
  options <- program_options(name, include_paths, include, level)
  made <- if (is.null(path)) {
    ask("program_create", text_argument(joined_lines(code), "code"), options, program = no_pointer)
  } else {
    ask("program_open", text_argument(expanded(path, "path"), "path"), options, program = no_pointer)
  }
  handle <- new_handle("program", made$program)
  diagnostics <- diagnostics_of(ask_text("program_diagnostics_json", made$program))
  if (call_library("program_ok", made$program, ok = 0L)$ok == 0L) stop(compilation_error(diagnostics))
  for (text in diagnostics$text) warn("program", sub("\n+$", "", text))
  new_model(handle, diagnostics)
}

# What readLines() gives is a program too.
joined_lines <- function(code) if (is.character(code) && length(code) > 1) paste(code, collapse = "\n") else code

expanded <- function(path, what) if (is.character(path) && length(path) == 1 && !is.na(path)) path.expand(path) else path

program_options <- function(name, include_paths, include, level) {
  if (!is.character(include_paths) || anyNA(include_paths)) refuse("include_paths are texts, not %s", shown(include_paths))
  members <- list(`include-paths` = json_array(vapply(path.expand(include_paths), json_text, "")),
                  include = option_json(include, "include"), level = option_json(level, "level"))
  if (!is.null(name)) members$name <- option_json(name, "name")
  text_argument(json_object(members))
}

new_model <- function(handle, diagnostics) {
  info <- parse_json(ask_text("program_info_json", pointer_of(handle)))
  name <- ask_text("program_name", pointer_of(handle))
  bind <- function(data = NULL, seed = NULL, threads = NULL, memory = NULL) {
    bound_model(handle, name, info, data, list(seed = seed, threads = threads, memory = memory))
  }
  new_object("fermiac_model", c(
    list(name = name, info = info, diagnostics = diagnostics, functions = new_functions(handle), bind = bind),
    model_methods(bind)
  ))
}

# As those of bound models, with data. The method's seed is none of transformed data, as on the command line.
model_methods <- function(bind) {
  members <- lapply(names(method_table()), function(name) {
    with_options(name, c(method_named(name)$first, alist(data = NULL)), function(arguments) {
      bound <- bind(arguments$data, threads = arguments$threads)
      do.call(bound[[name]], arguments[names(arguments) != "data"])
    })
  })
  stats::setNames(members, names(method_table()))
}

bound_model <- function(program, name, info, data, options) {
  options <- Filter(Negate(is.null), options)
  texts <- lapply(stats::setNames(nm = names(options)), function(n) option_json(options[[n]], n))
  given <- text_argument(if (length(texts) > 0) json_object(texts) else "")
  made <- if (is.character(data)) {
    ask("model_open", pointer_of(program), text_argument(expanded(data, "data"), "data"), given, model = no_pointer)
  } else {
    ask("model_create", pointer_of(program), text_argument(data_text(data, info$inputs)), given, model = no_pointer)
  }
  new_bound_model(new_handle("model", made$model), name)
}

# No more than the program declares.
data_text <- function(data, inputs) {
  if (is.null(data)) return("")
  if (!is.list(data)) refuse("data must be a list with names, a data frame or the path of a JSON file, not %s", shown(data))
  check_names(data, "data")
  declared <- intersect(names(data), names(inputs))
  json_object(stats::setNames(lapply(declared, function(name) {
    value_json(data[[name]], described_type(inputs[[name]]), paste0("data$", name), missing = TRUE)
  }), declared))
}

print.fermiac_model <- function(x, ...) {
  listed <- function(names) if (length(names) > 0) paste(names, collapse = ", ") else "none"
  cat("Stan model ", x$name, "\n", sep = "")
  cat("data: ", listed(names(x$info$inputs)), "\nparameters: ", listed(names(x$info$parameters)), "\n", sep = "")
  invisible(x)
}
