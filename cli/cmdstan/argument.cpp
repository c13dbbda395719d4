#include "cli/cmdstan/argument.h"

#include <utility>

namespace fermiac::cmdstan {
namespace {

using Arguments = std::vector<Argument>;

constexpr Bounds kFromZero{.least = 0};
constexpr Bounds kAboveZero{.least = 0, .open = true};

Argument category(std::string name, std::string about, Arguments children = {}) {
  return {Kind::Category, std::move(name), "", "", {}, std::move(about), std::move(children)};
}
Argument plain(std::string name, std::string about) {
  return {Kind::Plain, std::move(name), "", "", {}, std::move(about), {}};
}
Argument list(std::string name, std::string standard, std::string about, Arguments values) {
  std::string valid;
  for (const Argument& value : values) valid += (valid.empty() ? "" : ", ") + value.name;
  return {Kind::List, std::move(name), std::move(standard), std::move(valid), {}, std::move(about), std::move(values)};
}
Argument number(Kind kind, std::string name, std::string standard, std::string valid, Bounds bounds,
                std::string about) {
  return {kind, std::move(name), std::move(standard), std::move(valid), bounds, std::move(about), {}};
}
Argument positive(Kind kind, const std::string& name, std::string standard, std::string about) {
  return number(kind, name, std::move(standard), "0 < " + name, kAboveZero, std::move(about));
}
/// A length that may be 0, whatever its text says.
Argument length(const std::string& name, std::string standard, std::string about) {
  return number(Kind::Unsigned, name, std::move(standard), "0 < " + name, kFromZero, std::move(about));
}
Argument boolean(std::string name, std::string standard, std::string about) {
  return {Kind::Boolean, std::move(name), std::move(standard), "[0, 1, false, true]", {}, std::move(about), {}};
}
Argument text(std::string name, std::string standard, std::string valid, std::string about) {
  return {Kind::Text, std::move(name), std::move(standard), std::move(valid), {}, std::move(about), {}};
}
Argument path(std::string name, std::string standard, std::string about) {
  return text(std::move(name), std::move(standard), "Path to existing file", std::move(about));
}

Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// --- sample ---------------------------------------------------------------------------------------------------------

Argument sample_adapt() {
  using enum Kind;
  return category("adapt", "Warmup Adaptation",
                  {boolean("engaged", "1", "Adaptation engaged?"),
                   positive(Real, "gamma", "0.05", "Adaptation regularization scale"),
                   number(Real, "delta", "0.8", "0.100000 <= delta <= 1.000000", {0.1, 1},
                          "Adaptation target acceptance statistic"),
                   positive(Real, "kappa", "0.75", "Adaptation relaxation exponent"),
                   positive(Real, "t0", "10", "Adaptation iteration offset"),
                   length("init_buffer", "75", "Width of initial fast adaptation interval"),
                   length("term_buffer", "50", "Width of final fast adaptation interval"),
                   length("window", "25", "Initial width of slow adaptation interval"),
                   boolean("save_metric", "0", "Save metric as JSON?")});
}

Argument hmc() {
  using enum Kind;
  return category(
      "hmc", "Hamiltonian Monte Carlo",
      {list("engine", "nuts", "Engine for Hamiltonian Monte Carlo",
            {category("static", "Static integration time",
                      {positive(Real, "int_time", "6.28318530717958648",
                                "Total integration time for Hamiltonian evolution")}),
             category("nuts", "The No-U-Turn Sampler", {positive(Integer, "max_depth", "10", "Maximum tree depth")})}),
       list("metric", "diag_e", "Geometry of base manifold",
            {plain("unit_e", "Euclidean manifold with unit metric"),
             plain("diag_e", "Euclidean manifold with diag metric"),
             plain("dense_e", "Euclidean manifold with dense metric")}),
       path("metric_file", "", "Input file with precomputed Euclidean metric"),
       positive(Real, "stepsize", "1", "Step size for discrete evolution"),
       number(Real, "stepsize_jitter", "0", "0 <= stepsize_jitter <= 1", {0, 1},
              "Uniformly random jitter of the stepsize, in percent")});
}

Argument sample() {
  using enum Kind;
  return category(
      "sample", "Bayesian inference with Markov Chain Monte Carlo",
      {number(Integer, "num_samples", "1000", "0 <= num_samples", kFromZero, "Number of sampling iterations"),
       number(Integer, "num_warmup", "1000", "0 <= warmup", kFromZero, "Number of warmup iterations"),
       boolean("save_warmup", "0", "Stream warmup samples to output?"),
       positive(Integer, "thin", "1", "Period between saved samples"), sample_adapt(),
       list("algorithm", "hmc", "Sampling algorithm", {hmc(), plain("fixed_param", "Fixed Parameter Sampler")}),
       positive(Integer, "num_chains", "1", "Number of chains")});
}

// --- the other methods ----------------------------------------------------------------------------------------------

/// What bfgs, lbfgs and pathfinder have in common.
Arguments tolerances() {
  using enum Kind;
  return {
      positive(Real, "init_alpha", "0.001", "Line search step size for first iteration"),
      positive(Real, "tol_obj", "1e-12", "Convergence tolerance on absolute changes in objective function value"),
      positive(Real, "tol_rel_obj", "10000", "Convergence tolerance on relative changes in objective function value"),
      positive(Real, "tol_grad", "1e-08", "Convergence tolerance on the norm of the gradient"),
      positive(Real, "tol_rel_grad", "1e+07", "Convergence tolerance on the relative norm of the gradient"),
      positive(Real, "tol_param", "1e-08", "Convergence tolerance on changes in parameter value")};
}
Arguments limited_memory() {
  return tolerances() + Arguments{positive(Kind::Integer, "history_size", "5", "Amount of history to keep for L-BFGS")};
}

Argument optimize() {
  return category(
      "optimize", "Point estimation",
      {list("algorithm", "lbfgs", "Optimization algorithm",
            {category("bfgs", "BFGS with linesearch", tolerances()),
             category("lbfgs", "LBFGS with linesearch", limited_memory()), plain("newton", "Newton's method")}),
       boolean("jacobian", "0", "When true, include change-of-variables adjustment for constraining transforms"),
       positive(Kind::Integer, "iter", "2000", "Total number of iterations"),
       boolean("save_iterations", "0", "Stream optimization progress to output?")});
}

Argument variational() {
  using enum Kind;
  return category(
      "variational", "Variational inference",
      {list("algorithm", "meanfield", "Variational inference algorithm",
            {category("meanfield", "mean-field approximation"), category("fullrank", "full-rank covariance")}),
       positive(Integer, "iter", "10000", "Maximum number of ADVI iterations."),
       positive(Integer, "grad_samples", "1", "Number of Monte Carlo draws for computing the gradient."),
       positive(Integer, "elbo_samples", "100", "Number of Monte Carlo draws for estimate of ELBO."),
       positive(Real, "eta", "1", "Stepsize scaling parameter for variational inference"),
       category("adapt", "Eta Adaptation for Variational Inference",
                {boolean("engaged", "1", "Boolean flag for eta adaptation."),
                 positive(Integer, "iter", "50", "Number of iterations for eta adaptation.")}),
       positive(Real, "tol_rel_obj", "0.01", "Relative tolerance parameter for convergence."),
       positive(Integer, "eval_elbo", "100", "Number of iterations between ELBO evaluations"),
       positive(Integer, "output_samples", "1000", "Number of approximate posterior output draws to save.")});
}

Argument diagnose() {
  return category("diagnose", "Model diagnostics",
                  {list("test", "gradient", "Diagnostic test",
                        {category("gradient", "Check model gradient against finite differences",
                                  {positive(Kind::Real, "epsilon", "1e-06", "Finite difference step size"),
                                   positive(Kind::Real, "error", "1e-06", "Error threshold")})})});
}

Argument generate_quantities() {
  return category(
      "generate_quantities", "Generate quantities of interest",
      {path("fitted_params", "", "Input file of sample of fitted parameter values for model conditioned on data"),
       positive(Kind::Integer, "num_chains", "1", "Number of chains")});
}

Argument pathfinder() {
  using enum Kind;
  return category(
      "pathfinder", "Pathfinder algorithm",
      limited_memory() + Arguments{positive(Integer, "num_psis_draws", "1000", "Number of draws from PSIS sample"),
                                   positive(Integer, "num_paths", "4", "Number of single pathfinders"),
                                   boolean("save_single_paths", "0", "Output single-path pathfinder draws as CSV"),
                                   boolean("psis_resample", "1", "If true, perform psis resampling on samples"),
                                   boolean("calculate_lp", "1", "If true, calculate the log probability of the draws"),
                                   positive(Integer, "max_lbfgs_iters", "1000", "Maximum number of LBFGS iterations"),
                                   positive(Integer, "num_draws", "1000", "Number of approximate posterior draws"),
                                   positive(Integer, "num_elbo_draws", "25", "Number of draws to evaluate ELBO")});
}

Argument log_prob() {
  return category(
      "log_prob", "Return the log density up to a constant and its gradients, given supplied parameters",
      {path("unconstrained_params", "", "Input file of parameter values on the unconstrained scale"),
       path("constrained_params", "", "Input file of parameter values on the constrained scale"),
       boolean("jacobian", "1", "When true, include change-of-variables adjustment for constraining transforms")});
}

Argument laplace() {
  return category(
      "laplace", "Sample from a Laplace approximation",
      {path("mode", "", "A specification of a mode on the constrained scale for all model parameters"),
       boolean("jacobian", "1", "When true, include change-of-variables adjustment for constraining transforms"),
       number(Kind::Integer, "draws", "1000", "0 < draws", kFromZero, "Number of draws from the approximation"),
       boolean("calculate_lp", "1", "If true, calculate the log probability of the draws")});
}

// --- the top level --------------------------------------------------------------------------------------------------

Argument output() {
  using enum Kind;
  return category(
      "output", "File output options",
      {text("file", "output.csv", "Path to output file", "Output file"),
       text("diagnostic_file", "", "Path to diagnostic file", "Auxiliary output file for diagnostic information"),
       number(Integer, "refresh", "100", "0 <= refresh", kFromZero, "Number of iterations between screen updates"),
       number(Integer, "sig_figs", "8", "0 <= sig_figs <= 18 || sig_figs == -1", {-1, 18},
              "The number of significant figures used for the output CSV files. If -1, 6 are used"),
       text("profile_file", "profile.csv", "Path to profiling information file", "File to store profiling information"),
       boolean("save_cmdstan_config", "0", "When set to true, a JSON file containing the configuration is output")});
}

Argument num_threads(const Build& build) {
  const std::string standard = build.threads && !build.thread_wish.empty() ? build.thread_wish : "1";
  if (build.threads)
    return number(Kind::Integer, "num_threads", standard, "num_threads > 0 || num_threads == -1",
                  {.least = -1, .no_zero = true},
                  "Number of threads available to the program. -1: as many as the machine has");
  return number(Kind::Integer, "num_threads", standard, "num_threads == 1", {1, 1},
                "Number of threads available to the program. For more, re-compile the model with STAN_THREADS=true");
}

Arguments opencl(const Build& build) {
  const auto id = [](std::string name, std::string about) {
    return number(Kind::Integer, name, "-1", name + " >= 0", {.least = -1}, std::move(about));
  };
  if (!build.opencl) return {};
  return {category("opencl", "OpenCL options",
                   {id("device", "ID of the device, as `fermiac devices` has it"), id("platform", "ID of the platform that has it")})};
}

}  // namespace

Argument argument_tree(const Build& build) {
  Arguments top = {
      list("method", "sample", "Analysis method",
           {sample(), optimize(), variational(), diagnose(), generate_quantities(), pathfinder(), log_prob(),
            laplace()}),
      number(Kind::Integer, "id", "1", "id >= 0", kFromZero, "Unique process identifier"),
      category("data", "Input data options", {path("file", "", "Input data file")}),
      text("init", "2", "All",
           "Initialization method: \"x\" initializes randomly between [-x, x], \"0\" initializes to 0, anything else "
           "identifies a file of values"),
      category("random", "Random number configuration",
               {number(Kind::Integer, "seed", "-1",
                       "integer between 0 and 4294967295, or -1 to generate seed from system time", {-1, 4294967295.0},
                       "Random number generator seed")}),
      output(), num_threads(build)};
  return category("", "", std::move(top) + opencl(build));
}

std::string type_name(Kind kind) {
  switch (kind) {
    case Kind::List:
      return "list element";
    case Kind::Integer:
      return "int";
    case Kind::Unsigned:
      return "unsigned int";
    case Kind::Real:
      return "double";
    case Kind::Boolean:
      return "boolean";
    case Kind::Text:
      return "string";
    case Kind::Category:
    case Kind::Plain:
      break;
  }
  return "";
}

}  // namespace fermiac::cmdstan
