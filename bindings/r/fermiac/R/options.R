# Options of every method: those of `fermiac METHOD --help`, hyphens as underscores, with the same defaults. One row each, from
# which come signatures and fermiac_options(); the library checks values.

run_options <- c(
  seed = "seed of the random numbers (default: from the clock)",
  id = "number of the first chain, or which random numbers of one seed",
  threads = "threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)",
  timeout = "seconds after which it ends and keeps what it has",
  refresh = "iterations between reports of progress, 0 for none",
  output = "folder for CSV files (default: no files)",
  output_name = "start of the file names (default: the model's name)",
  overwrite = "TRUE: replace files of the same names",
  sig_figs = "significant digits in the CSV files",
  save_config = "TRUE: write the configuration as JSON too",
  init = "initial values: a radius, 0, a JSON file, a list of values by name, or a list of such lists, one for each chain",
  progress = "one line that is updated (default: in the console and in terminals)"
)

tolerances <- c(
  init_alpha = "length of the first step tried",
  tol_obj = "absolute change of the objective",
  tol_rel_obj = "relative change, times machine epsilon",
  tol_grad = "norm of the gradient",
  tol_rel_grad = "relative gradient, times machine epsilon",
  tol_param = "change of the parameters",
  history_size = "updates L-BFGS remembers"
)

method_options <- list(
  sample = c(
    run_options,
    chains = "number of chains",
    warmup = "warm-up iterations per chain",
    samples = "draws per chain",
    until_ess = "as many draws in place of samples as this bulk and tail ESS of every quantity takes, R-hat within 1.01",
    max_samples = "with until_ess: most draws per chain",
    max_time = "with until_ess: begin nothing that is expected to end after so many seconds",
    thin = "keep every n-th draw",
    sampler = "how chains move: nuts; walnuts, which divides its steps where the density bends sharply; static: trajectories of one length",
    adapt_delta = "target acceptance statistic",
    max_treedepth = "largest depth of the trajectory trees",
    max_energy_error = "walnuts: steps are halved until the energy along one varies by no more",
    max_halvings = "walnuts: at most so often",
    int_time = "static: length of a trajectory, step size times steps",
    metric = "mass matrix: diag_e, dense_e or unit_e",
    metric_file = "JSON with the initial inverse metric",
    stepsize = "initial step size",
    stepsize_jitter = "relative random change of the step size",
    adapt_gamma = "regularisation of the step size adaptation",
    adapt_kappa = "relaxation exponent of the adaptation",
    adapt_t0 = "iteration offset of the adaptation",
    init_buffer = "length of the first fast interval",
    term_buffer = "length of the last fast interval",
    window = "first length of the slow windows",
    no_adapt = "TRUE: no adaptation",
    fixed_param = "TRUE: do not move, only generated quantities vary",
    save_warmup = "TRUE: keep the warm-up draws too, as fit$warmup",
    save_metric = "TRUE: write the adapted metric as JSON",
    no_summary = "TRUE: make no summary and look for no problems at the end"
  ),
  optimize = c(
    run_options, tolerances,
    algorithm = "lbfgs, bfgs or newton",
    jacobian = "TRUE: include the log Jacobian, for the mode on the unconstrained scale",
    no_jacobian = "TRUE: leave it out (default)",
    iter = "most iterations",
    save_iterations = "TRUE: keep every iteration, as fit$draws()"
  ),
  pathfinder = c(
    run_options, tolerances,
    num_paths = "paths",
    draws = "draws of each path",
    psis_draws = "draws after resampling over the paths",
    elbo_draws = "draws that judge an approximation",
    max_lbfgs_iters = "most iterations of a path",
    save_single_paths = "TRUE: keep the draws of each path, as fit$paths",
    no_psis_resample = "TRUE: keep all draws as they are",
    no_lp = "TRUE: leave out the density of the draws"
  ),
  laplace = c(
    run_options,
    mode = "a list of parameters, what optimize() returned, or a file (default: optimize() is run first)",
    draws = "draws",
    no_jacobian = "TRUE: leave out the log Jacobian of the constraints",
    no_lp = "TRUE: leave out the density of the draws"
  ),
  variational = c(
    run_options,
    algorithm = "meanfield or fullrank",
    iter = "most iterations",
    grad_samples = "draws for a gradient",
    elbo_samples = "draws for the bound",
    eta = "scale of the steps, without adaptation",
    no_adapt = "TRUE: use eta as it is",
    adapt_iter = "iterations for each step size tried",
    tol_rel_obj = "relative change of the bound that ends the ascent",
    eval_elbo = "iterations between evaluations of the bound",
    draws = "draws of the approximation"
  ),
  generate = run_options,
  diagnose = c(
    run_options,
    epsilon = "step of the differences",
    error = "largest difference accepted"
  )
)

# What this package knows and the library does not.
own_options <- "progress"

fermiac_options <- function(method = "sample") {
  if (!is.character(method) || length(method) != 1 || !method %in% names(method_options)) {
    refuse("there is no method %s; there are %s", shown(method), paste(names(method_options), collapse = ", "))
  }
  rows <- method_options[[method]]
  structure(data.frame(option = names(rows), about = unname(rows), stringsAsFactors = FALSE),
            class = c("fermiac_options", "data.frame"))
}

print.fermiac_options <- function(x, ...) {
  cat(sprintf("%-*s  %s\n", max(nchar(x$option)), x$option, x$about), sep = "")
  invisible(x)
}

# A function of `first` and the method's options, all by their names. It calls run(arguments) with those that are not NULL.
with_options <- function(method, first, run) {
  options <- names(method_options[[method]])
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
