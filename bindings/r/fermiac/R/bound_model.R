# A program with data: a log density with derivatives, the two scales, and methods of inference.

# Flags of bindings/c/fermiac.h
term_flags <- function(propto, jacobian) as.integer(flag(propto, "propto") + 2L * flag(jacobian, "jacobian"))
block_flags <- function(transformed, generated) as.integer(flag(transformed, "transformed") + 2L * flag(generated, "generated"))

new_bound_model <- function(handle, name) {
  info <- parse_json(ask_text("model_info_json", pointer_of(handle)))
  it <- list(handle = handle, name = name, variables = variables_of(info),
             n = call_library("unconstrained_size", pointer_of(handle), size = 0)$size)
  new_object("fermiac_bound_model", c(
    list(name = name, variables = it$variables, unconstrained_size = it$n),
    name_members(it), density_members(it), scale_members(it), condition_members(it), method_members(it)
  ))
}

name_members <- function(it) {
  list(
    unconstrained_names = function() ask_lines("unconstrained_names", pointer_of(it$handle)),
    constrained_names = function(transformed = TRUE, generated = TRUE) names_of(it, block_flags(transformed, generated))
  )
}

names_of <- function(it, blocks) ask_lines("constrained_names", pointer_of(it$handle), blocks)

# ---------------------------------------------------------------- densities

density_members <- function(it) {
  n <- it$n
  gradients <- function(theta, terms) {
    each_point(it, theta, n + 1, function(model, point) {
      out <- ask("gradient", model, terms, point, n, lp = 0, gradient = numeric(n))
      c(out$lp, out$gradient)
    })
  }
  list(
    log_density = function(theta, propto = TRUE, jacobian = TRUE) {
      terms <- term_flags(propto, jacobian)
      each_point(it, theta, 1, function(model, point) ask("log_density", model, terms, point, n, lp = 0)$lp)[, 1]
    },
    gradient = function(theta, propto = TRUE, jacobian = TRUE) {
      gradient_part(gradients(theta, term_flags(propto, jacobian)), theta)
    },
    log_density_and_gradient = function(theta, propto = TRUE, jacobian = TRUE) {
      both <- gradients(theta, term_flags(propto, jacobian))
      list(log_density = both[, 1], gradient = gradient_part(both, theta))
    },
    hessian = function(theta, propto = TRUE, jacobian = TRUE) {
      terms <- term_flags(propto, jacobian)
      out <- each_point(it, theta, n * n, function(model, point) ask("hessian", model, terms, point, n, out = numeric(n * n))$out)
      array(out, if (is_one_point(theta)) c(n, n) else c(nrow(out), n, n))
    },
    hessian_times = function(theta, vector, propto = TRUE, jacobian = TRUE) {
      terms <- term_flags(propto, jacobian)
      v <- as.vector(as_points(vector, n, "vector")[1, ])
      rows_or_one(each_point(it, theta, n, function(model, point) {
        ask("hessian_times", model, terms, point, n, v, out = numeric(n))$out
      }), theta)
    }
  )
}

# one(model, point) for every point, its `size` numbers in rows.
each_point <- function(it, theta, size, one) {
  model <- pointer_of(it$handle)
  # The most frequent call, and what follows takes longer than a small model's gradient.
  if (is.double(theta) && is.null(attributes(theta)) && length(theta) == it$n) return(matrix(one(model, theta), nrow = 1))
  points <- as_points(theta, it$n, "theta")
  out <- vapply(seq_len(nrow(points)), function(i) one(model, points[i, ]), numeric(size))
  matrix(out, ncol = size, byrow = TRUE, nrow = nrow(points))
}

gradient_part <- function(both, theta) rows_or_one(both[, -1, drop = FALSE], theta)
rows_or_one <- function(rows, theta) if (is_one_point(theta)) rows[1, ] else rows

# ---------------------------------------------------------------- between the scales

scale_members <- function(it) {
  numbers <- function(theta, blocks, rng) {
    generator <- as_rng(rng)
    size <- call_library("constrained_size", pointer_of(it$handle), blocks, size = 0)$size
    each_point(it, theta, size, function(model, point) {
      ask("constrain", model, blocks, point, it$n, rng_pointer(generator), out = numeric(size), size)$out
    })
  }
  list(
    constrain = function(theta, transformed = FALSE, generated = FALSE, rng = NULL) {
      found <- numbers(theta, block_flags(transformed, generated), rng)
      wanted <- block_names[c(TRUE, transformed, generated)]
      layout <- layout_for(it, names_of(it, block_flags(transformed, generated)), wanted)
      if (is_one_point(theta)) return(row_values(layout, found[1, ]))
      lapply(layout$places, function(place) take_values(place$type, found, place$at, nrow(found)))
    },
    constrain_numbers = function(theta, transformed = FALSE, generated = FALSE, rng = NULL) {
      rows_or_one(numbers(theta, block_flags(transformed, generated), rng), theta)
    },
    unconstrain = function(values) if (is.list(values)) unconstrain_values(it, values) else unconstrain_numbers(it, values)
  )
}

unconstrain_values <- function(it, values) {
  text <- point_text(it, values, "values")
  ask("unconstrain_json", pointer_of(it$handle), text_argument(text), out = numeric(it$n), it$n)$out
}

unconstrain_numbers <- function(it, values) {
  m <- call_library("constrained_size", pointer_of(it$handle), 0L, size = 0)$size
  points <- as_points(values, m, "values")
  out <- vapply(seq_len(nrow(points)), function(i) {
    ask("unconstrain", pointer_of(it$handle), points[i, ], m, out = numeric(it$n), it$n)$out
  }, numeric(it$n))
  rows_or_one(matrix(out, nrow = nrow(points), byrow = TRUE), values)
}

layout_for <- function(it, columns, blocks = block_names) {
  layout_of(it$variables[it$variables$block %in% blocks, ], names_of(it, block_flags(TRUE, TRUE)), columns)
}

# Values of parameters by name as JSON; other variables of the program are left out.
point_text <- function(it, values, what) {
  check_names(values, what)
  parameters <- it$variables[it$variables$block == block_names[1], ]
  for (name in setdiff(names(values), it$variables$name)) {
    refuse("%s has '%s', which is no parameter; there are %s", what, name,
           if (nrow(parameters) > 0) paste(parameters$name, collapse = ", ") else "none")
  }
  given <- intersect(names(values), parameters$name)
  json_object(stats::setNames(lapply(given, function(name) {
    value_json(values[[name]], parse_type(parameters$type[parameters$name == name]), paste0(what, "$", name))
  }), given))
}

check_names <- function(values, what) {
  names <- names(values)
  if (length(values) > 0 && (is.null(names) || anyNA(names) || any(names == ""))) {
    refuse("%s must be a list with names of variables", what)
  }
  if (anyDuplicated(names)) refuse("%s has '%s' twice", what, names[anyDuplicated(names)])
}

# An option with values: a fit of one point, a list by name, a list of those; else as it is.
point_option <- function(it, value, what) {
  if (inherits(value, "fermiac_fit")) {
    if (!exists("point", envir = value, inherits = FALSE)) refuse("%s is a fit of %s, which has no point", what, value$method)
    value <- value$point
  }
  if (what == "mode" && !is.list(value) && !is.character(value)) {
    refuse("mode is %s, but must be a list of parameters, what optimize() returned, or a file", shown(value))
  }
  if (!is.list(value) || is.object(value)) return(value)
  if (!is.null(names(value)) || length(value) == 0) return(as_json(point_text(it, value, what)))
  as_json(json_array(lapply(seq_along(value), function(i) point_item(it, value[[i]], sprintf("%s[[%d]]", what, i)))))
}

point_item <- function(it, value, what) {
  text <- point_option(it, value, what)
  if (inherits(text, "fermiac_json")) text else option_json(text, what)
}

# ---------------------------------------------------------------- methods

method_members <- function(it) {
  members <- lapply(names(method_table()), function(name) {
    with_options(name, method_named(name)$first, function(arguments) method_named(name)$run(it, arguments))
  })
  stats::setNames(members, names(method_table()))
}

# One that has no row below leaves draws.
method_named <- function(name) {
  plain <- list(first = NULL, run = function(it, arguments) fitted_by(it, name, arguments, draws_fit))
  if (is.null(methods[[name]])) plain else methods[[name]]
}

# The arguments of a method before its options, and what it does: run(it, arguments).
methods <- list(
  sample = list(first = NULL, run = function(it, arguments) {
    fit <- fitted_by(it, "sample", arguments, sample_fit)
    if (nzchar(fit$problems)) warn("run", sub("\n+$", "", fit$problems))
    fit
  }),
  optimize = list(first = NULL, run = function(it, arguments) fitted_by(it, "optimize", arguments, optimum_fit)),
  pathfinder = list(first = NULL, run = function(it, arguments) fitted_by(it, "pathfinder", arguments, pathfinder_fit)),
  laplace = list(first = NULL, run = function(it, arguments) {
    if (is.null(arguments$mode)) {
      shared <- arguments[intersect(names(arguments), c("seed", "init", "threads", "progress"))]
      arguments$mode <- methods$optimize$run(it, c(shared, list(jacobian = !isTRUE(arguments$no_jacobian))))
    }
    fitted_by(it, "laplace", arguments, draws_fit)
  }),
  variational = list(first = NULL, run = function(it, arguments) fitted_by(it, "variational", arguments, variational_fit)),
  generate = list(first = alist(fit = ), run = function(it, arguments) {
    with_draws_files(arguments$fit, function(paths) {
      fitted <- as_json(json_array(vapply(paths, json_text, "")))
      fitted_by(it, "generate", c(arguments[names(arguments) != "fit"], list(fitted = fitted)), draws_fit, block_names[3])
    })
  }),
  diagnose = list(first = NULL, run = function(it, arguments) {
    structure(run_of(it, "diagnose", arguments)$messages, class = "fermiac_diagnosis")
  })
)

run_of <- function(it, method, arguments) {
  for (name in path_options(method)) if (is.character(arguments[[name]])) arguments[[name]] <- path.expand(arguments[[name]])
  for (name in intersect(names(arguments), c("init", "mode"))) arguments[[name]] <- point_option(it, arguments[[name]], name)
  outcome <- execute(it$handle, method, arguments[setdiff(names(arguments), names(own_options))], arguments$progress)
  if (nzchar(outcome$why_stopped)) warn("run", outcome$why_stopped)
  outcome
}

fitted_by <- function(it, method, arguments, kind, blocks = block_names) {
  outcome <- run_of(it, method, arguments)
  kind(outcome, layout_for(it, outcome$columns, blocks), it$name)
}

print.fermiac_bound_model <- function(x, ...) {
  parameters <- x$variables[x$variables$block == block_names[1], ]
  cat(sprintf("%s with data, %d unconstrained parameters%s\n", x$name, as.integer(x$unconstrained_size),
              if (nrow(parameters) > 0) ":" else ""))
  cat(sprintf("  %s %s\n", parameters$type, parameters$name), sep = "")
  invisible(x)
}
