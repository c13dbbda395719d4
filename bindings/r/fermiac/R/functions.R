# Functions of a program, called by their names: model$functions$f(1, c(2, 3)).

new_functions <- function(program) {
  signatures <- unlist(parse_json(ask_text("program_functions_json", pointer_of(program))))
  structure(list(program = program, signatures = as.character(signatures)), class = "fermiac_functions")
}

bare_name <- function(signature) trimws(sub("\\(.*$", "", signature))

names.fermiac_functions <- function(x) unique(bare_name(unclass(x)$signatures))

`$.fermiac_functions` <- function(x, name) function_named(x, name)
# With types, one of several functions with one name: functions[["f(int, vector)"]].
`[[.fermiac_functions` <- function(x, i, ...) function_named(x, i)

function_named <- function(functions, name) {
  if (!is.character(name) || length(name) != 1) refuse("functions have names, not %s", shown(name))
  all <- unclass(functions)
  overloads <- all$signatures[bare_name(all$signatures) == bare_name(name)]
  if (length(overloads) == 0) {
    known <- names(functions)
    refuse("the program has no function '%s' that can be called; there are %s", bare_name(name),
           if (length(known) > 0) paste(known, collapse = ", ") else "none")
  }
  meant <- overloads_meant(name, lapply(overloads, parse_signature))
  structure(function(..., rng = NULL) call_function(all$program, name, meant, list(...), as_rng(rng)),
            class = c("fermiac_function", "function"), signatures = overloads)
}

# All, or the one whose types the name has.
overloads_meant <- function(name, overloads) {
  if (!grepl("(", name, fixed = TRUE)) return(overloads)
  types <- gsub(" ", "", sub("\\)\\s*$", "", sub("^[^(]*\\(", "", name)))
  found <- Filter(function(o) identical(o$types, types), overloads)
  if (length(found) > 0) found else overloads
}

# "f(int n, data vector x) => real": types of arguments by name, result, and "int,vector".
parse_signature <- function(text) {
  end <- regexpr(") => ", text, fixed = TRUE)
  tokens <- type_tokens(substr(text, regexpr("(", text, fixed = TRUE), end))
  read_argument <- function(tokens) {
    if (tokens[1] == "data") tokens <- tokens[-1]
    found <- read_type(tokens)
    used <- tokens[seq_len(length(tokens) - length(found$rest))]
    list(type = found$type, text = paste(used, collapse = ""), name = found$rest[1], rest = found$rest[-1])
  }
  arguments <- read_list(tokens, read_argument)$items
  list(arguments = stats::setNames(lapply(arguments, `[[`, "type"), vapply(arguments, `[[`, "", "name")),
       types = paste(vapply(arguments, `[[`, "", "text"), collapse = ","), result = parse_type(substring(text, end + 5)))
}

call_function <- function(program, name, overloads, arguments, rng) {
  named <- !is.null(names(arguments)) && length(arguments) > 0
  if (named && any(names(arguments) == "")) refuse("%s: arguments are given by position or by name, not both", bare_name(name))
  overloads <- fitting(overloads, arguments, named)
  texts <- argument_texts(name, arguments, named, if (length(overloads) == 1) overloads[[1]]$arguments)
  json <- if (named) json_object(stats::setNames(texts, names(arguments))) else json_array(texts)
  out <- parse_json(ask_text("call", pointer_of(program), text_argument(name, "the name"), text_argument(json), rng_pointer(rng)))
  if (is.null(out)) return(invisible(NULL))
  result_value(result_type(overloads, out), out)
}

# Overloads that take so many arguments, or those of these names.
fitting <- function(overloads, arguments, named) {
  fits <- function(o) if (named) setequal(names(o$arguments), names(arguments)) else length(o$arguments) == length(arguments)
  Filter(fits, overloads)
}

argument_texts <- function(name, arguments, named, types) {
  lapply(seq_along(arguments), function(i) {
    key <- if (named) names(arguments)[i] else i
    value_json(arguments[[i]], types[[key]], sprintf("%s: argument %s", bare_name(name), key))
  })
}

# Of several results the one that the JSON has the shape of: whole numbers before others. Where that is not what was meant, the
# name with types says it.
result_type <- function(overloads, json) {
  results <- Filter(function(t) t$base != "void", lapply(overloads, `[[`, "result"))
  order <- order(match(vapply(results, `[[`, "", "base"), c("int", "real", "complex", "tuple")))
  for (type in results[order]) if (has_shape(type, json)) return(type)
  results[[order[length(order)]]]
}

has_shape <- function(type, json) {
  if (type$base == "tuple") return(!is.null(names(innermost(json))))
  if (!is.null(names(innermost(json))) || list_depth(json) != length(type$dims) + (type$base == "complex")) return(FALSE)
  type$base != "int" || all(rapply(list(json), is.integer, how = "unlist"))
}

innermost <- function(json) {
  while (is.list(json) && is.null(names(json)) && length(json) > 0) json <- json[[1]]
  json
}

list_depth <- function(json) {
  depth <- 0
  while (is.list(json)) {
    depth <- depth + 1
    json <- if (length(json) > 0) json[[1]]
  }
  depth
}

print.fermiac_functions <- function(x, ...) {
  cat("Functions:\n", sprintf("  %s\n", unclass(x)$signatures), sep = "")
  invisible(x)
}

print.fermiac_function <- function(x, ...) {
  cat(attr(x, "signatures"), sep = "\n")
  invisible(x)
}
