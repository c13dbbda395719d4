#include "inference/methods/settings.h"

#include <algorithm>

#include "inference/methods/methods.h"
#include "inference/methods/sample.h"

namespace fermiac::inference {

/// How a chain of HMC moves.
void add_engine_options(OptionRows& rows, SampleOptions& o) {
  rows.choice<Engine>(
      "sampler", o.engine, {{"nuts", Engine::Nuts}, {"walnuts", Engine::Walnuts}, {"static", Engine::Static}},
      "how chains move: trees of steps, or of steps that are divided where the density bends sharply, or trajectories of one length");
  rows.number("adapt-delta", o.adapt.delta, "target acceptance statistic", {0, 1, true});
  rows.number("max-treedepth", o.max_treedepth, "largest depth of the trajectory trees", {1, 50});
  rows.number("max-energy-error", o.max_energy_error, "walnuts: steps are halved until the energy along one varies by no more",
              {0, kNoBound, true});
  rows.number("max-halvings", o.max_halvings, "walnuts: at most so often", {0, kMostHalvings});
  rows.number("int-time", o.integration_time, "static: length of a trajectory, step size times steps", {0, kNoBound, true});
}

void add_options(OptionRows& rows, SampleOptions& o) {
  rows.number("chains", o.chains, "number of chains", {1, kMostRuns});
  rows.number_or("warmup", o.num_warmup, "auto", o.auto_warmup,
                 "warm-up iterations per chain; auto: 1000 at most, until step size and metric have settled", {0, kMostCount});
  rows.number("samples", o.num_samples, "draws per chain", {0, kMostCount});
  rows.number("until-ess", o.until_ess,
              "as many draws in place of --samples as this bulk and tail ESS of every quantity takes, R-hat within 1.01 (default: 0, off)",
              {0, 1e9});
  rows.number("max-samples", o.max_samples, "with --until-ess: most draws per chain", {1, kMostCount});
  rows.number("max-time", o.max_time, "with --until-ess: begin nothing that is expected to end after so many seconds (default: no limit)",
              {0, 1e9, true});
  rows.seed(o.seed);
  rows.number("id", o.id, "number of the first chain", {0, kMostCount});
  rows.folder(o.output_dir, "folder for the CSV files");
  rows.flag("overwrite", o.overwrite, "replace files of the same names");
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
                          "mass matrix: from draws and gradients, or as in CmdStan");
  rows.text("metric-file", o.metric_file, "JSON with the initial inverse metric", "F.json");
  rows.number("stepsize", o.stepsize, "initial step size", {0, kNoBound, true});
  rows.number("stepsize-jitter", o.stepsize_jitter, "relative random change of the step size", {0, 1});
  rows.number("adapt-gamma", o.adapt.gamma, "regularisation of the step size adaptation", {0, kNoBound, true});
  rows.number("adapt-kappa", o.adapt.kappa, "relaxation exponent of the adaptation", {0, kNoBound, true});
  rows.number("adapt-t0", o.adapt.t0, "iteration offset of the adaptation", {0, kNoBound, true});
  rows.number("init-buffer", o.adapt.init_buffer, "length of the first fast interval, diag_e and dense_e", {0, kMostCount});
  rows.number("term-buffer", o.adapt.term_buffer, "length of the last fast interval", {0, kMostCount});
  rows.number("window", o.adapt.window, "first length of the slow windows, diag_e and dense_e", {0, kMostCount});
  rows.flag("save-metric", o.save_metric, "write the adapted metric as JSON");
  rows.flag("save-config", o.save_config, "write the configuration as JSON");
  rows.text("output-name", o.output_name, "start of the file names (default: the model's name)", "TEXT");
  rows.number("thin", o.thin, "keep every n-th draw", {1, kMostCount});
  rows.flag("save-warmup", o.save_warmup, "keep the warm-up draws too");
  rows.unset("no-adapt", o.adapt.engaged, "no adaptation");
  rows.mark("fixed-param", o.engine, Engine::FixedParam, "do not move: only generated quantities vary");
  rows.number("refresh", o.refresh, "iterations between progress lines, 0 for none", {0, kMostCount});
  rows.number("sig-figs", o.sig_figs, "significant digits in the CSV files", {1, 18});
  rows.unset("no-summary", o.summary, "leave out the summary at the end");
}

/// What the methods beside `sample` have in common.
void add_common_options(OptionRows& rows, CommonOptions& o) {
  rows.seed(o.seed);
  rows.number("id", o.id, "number that chooses the random numbers of one seed", {0, kMostCount});
  rows.init(o);
  rows.folder(o.output_dir, "folder for the results");
  rows.text("output-name", o.output_name, "start of the file names (default: the model's name)", "TEXT");
  rows.flag("overwrite", o.overwrite, "replace files of the same names");
  rows.threads(o.threads);
  rows.number("refresh", o.refresh, "iterations between progress lines; 0: nothing but problems is printed", {0, kMostCount});
  rows.number("sig-figs", o.sig_figs, "significant digits in the CSV files", {1, 18});
  rows.flag("save-config", o.save_config, "write the configuration as JSON too");
}

/// The settings of L-BFGS, the same for optimize and pathfinder.
void add_tolerances(OptionRows& rows, LineSearchOptions& o) {
  rows.number("init-alpha", o.init_alpha, "length of the first step tried", {0, kNoBound, true});
  rows.number("tol-obj", o.tol_obj, "absolute change of the objective", {0, kNoBound});
  rows.number("tol-rel-obj", o.tol_rel_obj, "relative change, times machine epsilon", {0, kNoBound});
  rows.number("tol-grad", o.tol_grad, "norm of the gradient", {0, kNoBound});
  rows.number("tol-rel-grad", o.tol_rel_grad, "relative gradient, times machine epsilon", {0, kNoBound});
  rows.number("tol-param", o.tol_param, "change of the parameters", {0, kNoBound});
  rows.number("history-size", o.history_size, "updates L-BFGS remembers", {1, kMostCount});
}

void add_options(OptionRows& rows, OptimizeOptions& o) {
  using enum OptimizeOptions::Algorithm;
  add_common_options(rows, o);
  rows.choice<OptimizeOptions::Algorithm>("algorithm", o.algorithm, {{"lbfgs", Lbfgs}, {"bfgs", Bfgs}, {"newton", Newton}}, "how to climb");
  rows.flag("jacobian", o.jacobian, "include the log Jacobian: the mode on the unconstrained scale");
  rows.unset("no-jacobian", o.jacobian, "leave it out (default): maximum likelihood where the prior does not count");
  rows.number("iter", o.iterations, "most iterations", {0, kMostCount});
  rows.flag("save-iterations", o.save_iterations, "keep every iteration");
  add_tolerances(rows, o.search);
}

void add_options(OptionRows& rows, PathfinderOptions& o) {
  add_common_options(rows, o);
  rows.number("num-paths", o.num_paths, "paths", {1, kMostRuns});
  rows.retired("lanes");
  rows.number("draws", o.num_draws, "draws of each path", {0, kMostCount});
  rows.number("psis-draws", o.num_psis_draws, "draws after resampling over the paths", {1, kMostCount});
  rows.number("elbo-draws", o.num_elbo_draws, "draws that judge an approximation", {1, kMostCount});
  rows.number("max-lbfgs-iters", o.max_lbfgs_iters, "most iterations of a path", {1, kMostCount});
  rows.flag("save-single-paths", o.save_single_paths, "keep the draws of each path");
  rows.unset("no-psis-resample", o.psis_resample, "keep all draws as they are");
  rows.unset("no-lp", o.calculate_lp, "leave out the density of the draws");
  add_tolerances(rows, o.search);
}

void add_options(OptionRows& rows, LaplaceOptions& o) {
  add_common_options(rows, o);
  rows.mode(o);
  rows.unset("no-jacobian", o.jacobian, "leave out the log Jacobian of the constraints");
  rows.number("draws", o.draws, "draws", {0, kMostCount});
  rows.unset("no-lp", o.calculate_lp, "leave out the density of the draws");
}

void add_options(OptionRows& rows, VariationalOptions& o) {
  using enum VariationalOptions::Algorithm;
  add_common_options(rows, o);
  rows.choice<VariationalOptions::Algorithm>("algorithm", o.algorithm, {{"meanfield", MeanField}, {"fullrank", FullRank}}, "the family");
  rows.number("iter", o.iterations, "most iterations", {0, kMostCount});
  rows.number("grad-samples", o.grad_samples, "draws for a gradient", {1, kMostCount});
  rows.number("elbo-samples", o.elbo_samples, "draws for the bound", {1, kMostCount});
  rows.number("eta", o.eta, "scale of the steps, without adaptation", {0, kNoBound, true});
  rows.unset("no-adapt", o.adapt_engaged, "use --eta as it is");
  rows.number("adapt-iter", o.adapt_iterations, "iterations for each step size tried", {1, kMostCount});
  rows.number("tol-rel-obj", o.tol_rel_obj, "relative change of the bound that ends the ascent", {0, kNoBound});
  rows.number("eval-elbo", o.eval_elbo, "iterations between evaluations of the bound", {1, kMostCount});
  rows.number("draws", o.output_samples, "draws of the approximation", {0, kMostCount});
}

void add_options(OptionRows& rows, GenerateOptions& o) {
  add_common_options(rows, o);
  rows.files("fitted", o.fitted_params, "folder of the run, or its CSV files", true);
}

void add_options(OptionRows& rows, DiagnoseOptions& o) {
  add_common_options(rows, o);
  rows.number("epsilon", o.epsilon, "step of the differences", {0, kNoBound, true});
  rows.number("error", o.error, "largest difference accepted", {0, kNoBound, true});
}

namespace {

using enum Method::Output;

/// The row of a method whose options are declared in inference/model/options.h.
template <class Options, Status (*run)(const Model&, const Options&, const RunIo&)>
constexpr Method row(std::string_view name, std::string_view about, Method::Output output) {
  return method<Options, add_options, run>(name, about, output);
}

const Method kMethods[] = {
    row<SampleOptions, run_sample>("sample", "draw from the posterior with NUTS; one CSV file per chain", Chains),
    row<OptimizeOptions, run_optimize>("optimize", "find the mode of the density", Optimum),
    row<PathfinderOptions, run_pathfinder>("pathfinder", "approximate the posterior along quasi-Newton paths", Draws),
    row<LaplaceOptions, run_laplace>("laplace", "draw from the normal approximation at a mode", Draws),
    row<VariationalOptions, run_variational>("variational", "fit a normal family by stochastic gradients (ADVI)", Draws),
    row<GenerateOptions, run_generate>("generate", "generated quantities for the draws of an earlier run", Generated),
    row<DiagnoseOptions, run_diagnose>("diagnose", "compare gradients with finite differences", Gradients),
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
