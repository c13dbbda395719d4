# Models under a conditioning: what counts, what is known.

condition_members <- function(it) {
  list(condition = function(context = NULL, weights = NULL, fix = NULL, condition = NULL, missing = NULL, roles = NULL,
                            nan_is_missing = NULL) {
    given <- Filter(Negate(is.null), list(
      context = words_json(context, "context"), missing = list_of_words(missing, "missing"),
      weights = by_name(weights, "weights", numbers_alone),
      fix = by_name(fix, "fix", function(value, what) given_json(it, value, what)),
      condition = by_name(condition, "condition", function(value, what) given_json(it, value, what)),
      roles = by_name(roles, "roles", words_json),
      nan_is_missing = if (!is.null(nan_is_missing)) option_json(flag(nan_is_missing, "nan_is_missing"))
    ))
    made <- ask("model_condition", pointer_of(it$handle), text_argument(json_object(given)), model = no_pointer)
    new_bound_model(new_handle("model", made$model), it$name)
  })
}

# json(value, what) of every member; a vector with names is a list with names.
by_name <- function(values, what, json) {
  if (is.null(values)) return(NULL)
  check_names(values, what)
  names <- names(values)
  json_object(stats::setNames(lapply(names, function(name) json(values[[name]], paste0(what, "$", name))), names))
}

# A parameter as it is declared; of data and of elements their numbers as they are.
given_json <- function(it, value, what) {
  name <- sub("^[^$]*[$]", "", what)
  declared <- it$variables$type[it$variables$name == name]
  if (length(declared) > 0) value_json(value, parse_type(declared), what) else numbers_alone(value, what)
}

numbers_alone <- function(value, what) {
  refuse_odd(value, what)
  refuse_missing(unlist(value), what)
  if (is.list(value)) return(value_json(value, NULL, what))
  dims <- if (is.null(dim(value)) && length(value) != 1) length(value) else dim(value)
  numbers_json(value, if (is.null(dims)) integer() else dims)
}

words_json <- function(value, what) {
  if (is.null(value)) return(NULL)
  if (!is.character(value) || length(value) != 1 || is.na(value)) refuse("%s must be one text, not %s", what, shown(value))
  json_text(value)
}

list_of_words <- function(values, what) {
  if (is.null(values)) return(NULL)
  if (!is.character(values) || anyNA(values)) refuse("%s are texts, not %s", what, shown(values))
  json_array(vapply(values, json_text, ""))
}
