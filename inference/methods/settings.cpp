#include "inference/methods/settings.h"

#include <algorithm>

#include "inference/methods/methods.h"
#include "inference/methods/sample.h"

namespace fermiac::inference {

/// How a chain of HMC moves.
void add_engine_options(OptionRows& rows, SampleOptions& o) {
  rows.choice<Engine>(
      "sampler", o.engine, {{"nuts", Engine::Nuts}, {"walnuts", Engine::Walnuts}, {"static", Engine::Static}},
      "Sampling algorithm: no-U-turn, its variant with locally adapted steps, or HMC with fixed length");
  rows.number("adapt-delta", o.adapt.delta, "Target acceptance statistic of the step size adaptation", {0, 1, true});
  rows.number("max-treedepth", o.max_treedepth, "Maximum depth of the trajectory trees", {1, 50});
  rows.number("max-energy-error", o.max_energy_error, "For walnuts: maximum energy error within one step, above which the step is halved",
              {0, kNoBound, true});
  rows.number("max-halvings", o.max_halvings, "For walnuts: maximum number of halvings of a step", {0, kMostHalvings});
  rows.number("int-time", o.integration_time, "For static: integration time of a trajectory (step size times number of steps)", {0, kNoBound, true});
}

void add_options(OptionRows& rows, SampleOptions& o) {
  rows.number("chains", o.chains, "Number of chains", {1, kMostRuns});
  rows.number_or("warmup", o.num_warmup, "auto", o.auto_warmup,
                 "Number of warmup iterations per chain; auto: until step size and metric converge, at most 1000", {0, kMostCount});
  rows.number("samples", o.num_samples, "Number of draws per chain after warmup", {0, kMostCount});
  rows.number("target-ess", o.target_ess,
              "Sample until every quantity has this bulk and tail ESS and an R-hat of at most 1.01, instead of --samples (default: 0, off)",
              {0, 1e9});
  rows.number("max-samples", o.max_samples, "With --target-ess: maximum number of draws per chain", {1, kMostCount});
  rows.number("target-ess-max-time", o.target_ess_max_time, "With --target-ess: time budget in seconds (default: no limit)",
              {0, 1e9, true});
  rows.seed(o.seed);
  rows.number("id", o.id, "Id of the first chain; with the seed it determines the random numbers", {0, kMostCount});
  rows.folder(o.output_dir, "Folder for the CSV files");
  rows.flag("overwrite", o.overwrite, "Replace existing output files");
  rows.threads(o.threads);
  rows.retired("lanes");
  rows.init(o);
  add_engine_options(rows, o);
  rows.choice<MetricKind>("metric", o.metric,
                          {{"low_rank", MetricKind::LowRank},
                           {"fisher_diag", MetricKind::FisherDiag},
                           {"diag_e", MetricKind::Diag},
                           {"dense_e", MetricKind::Dense},
                           {"unit_e", MetricKind::Unit}},
                          "Form of the inverse metric (mass matrix)");
  rows.text("metric-file", o.metric_file, "JSON file with the initial inverse metric", "F.json");
  rows.number("stepsize", o.stepsize, "Initial step size", {0, kNoBound, true});
  rows.number("stepsize-jitter", o.stepsize_jitter, "Relative uniform jitter of the step size", {0, 1});
  rows.number("adapt-gamma", o.adapt.gamma, "Regularization scale of the step size adaptation", {0, kNoBound, true});
  rows.number("adapt-kappa", o.adapt.kappa, "Relaxation exponent of the step size adaptation", {0, kNoBound, true});
  rows.number("adapt-t0", o.adapt.t0, "Iteration offset of the step size adaptation", {0, kNoBound, true});
  rows.number("init-buffer", o.adapt.init_buffer, "Length of the initial fast interval of warmup (diag_e and dense_e)", {0, kMostCount});
  rows.number("term-buffer", o.adapt.term_buffer, "Length of the final fast interval of warmup", {0, kMostCount});
  rows.number("window", o.adapt.window, "Length of the first adaptation window of the metric (diag_e and dense_e)", {0, kMostCount});
  rows.flag("save-metric", o.save_metric, "Write the adapted metric as JSON");
  rows.flag("save-config", o.save_config, "Write the configuration as JSON");
  rows.text("output-name", o.output_name, "Prefix of the output file names (default: the model's name)", "TEXT");
  rows.number("thin", o.thin, "Thinning interval: save every Nth draw", {1, kMostCount});
  rows.flag("save-warmup", o.save_warmup, "Save the warmup draws too");
  rows.unset("no-adapt", o.adapt.engaged, "Disable adaptation");
  rows.mark("fixed-param", o.engine, Engine::FixedParam, "Keep parameters fixed and evaluate generated quantities only");
  rows.number("refresh", o.refresh, "Number of iterations between progress messages (0: none)", {0, kMostCount});
  rows.number("sig-figs", o.sig_figs, "Number of significant digits in CSV files", {1, 18});
  rows.unset("no-summary", o.summary, "Omit the summary at the end");
}

/// What the methods beside `sample` have in common.
void add_common_options(OptionRows& rows, CommonOptions& o) {
  rows.seed(o.seed);
  rows.number("id", o.id, "Id of the run; with the seed it determines the random numbers", {0, kMostCount});
  rows.init(o);
  rows.folder(o.output_dir, "Folder for the results");
  rows.text("output-name", o.output_name, "Prefix of the output file names (default: the model's name)", "TEXT");
  rows.flag("overwrite", o.overwrite, "Replace existing output files");
  rows.threads(o.threads);
  rows.number("refresh", o.refresh, "Number of iterations between progress messages (0: warnings and errors only)", {0, kMostCount});
  rows.number("sig-figs", o.sig_figs, "Number of significant digits in CSV files", {1, 18});
  rows.flag("save-config", o.save_config, "Write the configuration as JSON");
}

/// The settings of L-BFGS, the same for optimize and pathfinder.
void add_tolerances(OptionRows& rows, LineSearchOptions& o) {
  rows.number("init-alpha", o.init_alpha, "Initial step size of the line search", {0, kNoBound, true});
  rows.number("tol-obj", o.tol_obj, "Convergence tolerance on the change of the objective", {0, kNoBound});
  rows.number("tol-rel-obj", o.tol_rel_obj, "Convergence tolerance on the relative change of the objective, in units of machine epsilon", {0, kNoBound});
  rows.number("tol-grad", o.tol_grad, "Convergence tolerance on the norm of the gradient", {0, kNoBound});
  rows.number("tol-rel-grad", o.tol_rel_grad, "Convergence tolerance on the relative norm of the gradient, in units of machine epsilon", {0, kNoBound});
  rows.number("tol-param", o.tol_param, "Convergence tolerance on the change of the parameters", {0, kNoBound});
  rows.number("history-size", o.history_size, "Number of updates that L-BFGS stores", {1, kMostCount});
}

void add_options(OptionRows& rows, OptimizeOptions& o) {
  using enum OptimizeOptions::Algorithm;
  add_common_options(rows, o);
  rows.choice<OptimizeOptions::Algorithm>("algorithm", o.algorithm, {{"lbfgs", Lbfgs}, {"bfgs", Bfgs}, {"newton", Newton}}, "Optimization algorithm");
  rows.flag("jacobian", o.jacobian, "Include the log Jacobian of the constraints: mode of the density on the unconstrained scale");
  rows.unset("no-jacobian", o.jacobian, "Omit the log Jacobian (default): mode of the density of the constrained parameters");
  rows.number("iter", o.iterations, "Maximum number of iterations", {0, kMostCount});
  rows.flag("save-iterations", o.save_iterations, "Save every iteration");
  add_tolerances(rows, o.search);
}

void add_options(OptionRows& rows, PathfinderOptions& o) {
  add_common_options(rows, o);
  rows.number("num-paths", o.num_paths, "Number of paths", {1, kMostRuns});
  rows.retired("lanes");
  rows.number("draws", o.num_draws, "Number of draws from the approximation of each path", {0, kMostCount});
  rows.number("psis-draws", o.num_psis_draws, "Number of draws after importance resampling of all paths", {1, kMostCount});
  rows.number("elbo-draws", o.num_elbo_draws, "Number of draws that estimate the ELBO of an approximation", {1, kMostCount});
  rows.number("max-lbfgs-iters", o.max_lbfgs_iters, "Maximum number of L-BFGS iterations of a path", {1, kMostCount});
  rows.flag("save-single-paths", o.save_single_paths, "Save the draws of each path");
  rows.unset("no-psis-resample", o.psis_resample, "Return all draws without importance resampling");
  rows.unset("no-lp", o.calculate_lp, "Do not evaluate the log density of the draws");
  add_tolerances(rows, o.search);
}

void add_options(OptionRows& rows, LaplaceOptions& o) {
  add_common_options(rows, o);
  rows.mode(o);
  rows.unset("no-jacobian", o.jacobian, "Omit the log Jacobian of the constraints");
  rows.number("draws", o.draws, "Number of draws from the approximation", {0, kMostCount});
  rows.unset("no-lp", o.calculate_lp, "Do not evaluate the log density of the draws");
}

void add_options(OptionRows& rows, VariationalOptions& o) {
  using enum VariationalOptions::Algorithm;
  add_common_options(rows, o);
  rows.choice<VariationalOptions::Algorithm>("algorithm", o.algorithm, {{"meanfield", MeanField}, {"fullrank", FullRank}}, "Variational family");
  rows.number("iter", o.iterations, "Maximum number of iterations", {0, kMostCount});
  rows.number("grad-samples", o.grad_samples, "Number of draws that estimate a gradient", {1, kMostCount});
  rows.number("elbo-samples", o.elbo_samples, "Number of draws that estimate the ELBO", {1, kMostCount});
  rows.number("eta", o.eta, "Step size scale; adapted unless --no-adapt is given", {0, kNoBound, true});
  rows.unset("no-adapt", o.adapt_engaged, "Use --eta without adaptation");
  rows.number("adapt-iter", o.adapt_iterations, "Number of iterations for each candidate step size", {1, kMostCount});
  rows.number("tol-rel-obj", o.tol_rel_obj, "Convergence tolerance on the relative change of the ELBO", {0, kNoBound});
  rows.number("eval-elbo", o.eval_elbo, "Number of iterations between evaluations of the ELBO", {1, kMostCount});
  rows.number("draws", o.output_samples, "Number of draws from the approximation", {0, kMostCount});
}

void add_options(OptionRows& rows, GenerateOptions& o) {
  add_common_options(rows, o);
  rows.files("fitted", o.fitted_params, "Folder of the run, or its CSV files", true);
}

void add_options(OptionRows& rows, DiagnoseOptions& o) {
  add_common_options(rows, o);
  rows.number("epsilon", o.epsilon, "Step size of the finite differences", {0, kNoBound, true});
  rows.number("error", o.error, "Error threshold: largest accepted difference", {0, kNoBound, true});
}

namespace {

using enum Method::Output;

/// The row of a method whose options are declared in inference/model/options.h.
template <class Options, Status (*run)(const Model&, const Options&, const RunIo&)>
constexpr Method row(std::string_view name, std::string_view about, Method::Output output) {
  return method<Options, add_options, run>(name, about, output);
}

const Method kMethods[] = {
    row<SampleOptions, run_sample>("sample", "Sample from the posterior with NUTS and write one CSV file per chain", Chains),
    row<OptimizeOptions, run_optimize>("optimize", "Find the mode of the density", Optimum),
    row<PathfinderOptions, run_pathfinder>("pathfinder", "Approximate the posterior along quasi-Newton paths", Draws),
    row<LaplaceOptions, run_laplace>("laplace", "Draw from the normal approximation at a mode", Draws),
    row<VariationalOptions, run_variational>("variational", "Fit a normal approximation by stochastic gradients (ADVI)", Draws),
    row<GenerateOptions, run_generate>("generate", "Evaluate generated quantities for the draws of an earlier run", Generated),
    row<DiagnoseOptions, run_diagnose>("diagnose", "Compare gradients with finite differences", Gradients),
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const Method* const found = std::ranges::find(kMethods, name, &Method::name);
  return found == std::end(kMethods) ? nullptr : found;
}

}  // namespace fermiac::inference
