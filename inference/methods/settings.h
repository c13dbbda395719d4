// The options of every method by name, each in one row: command lines and JSON read the rows by visitors of their own. A
// visitor has
//
//   number(name, value, about, range)      a number within the range; an optional value has no default
//   number_or(name, value, word, chosen, about, range)   the same, or a word that sets `chosen` in its place
//   seed(name, value, about), threads(name, value)
//   init(name, options), mode(name, options)         initial values; where laplace is to draw, which is needed
//   text(name, value, about, kind)         kind: what stands for the value in help
//   texts(name, values, about, kind)       one or more, needed
//   flag(name, value, about)               sets the value where it is given
//   unset(name, value, about)              clears it
//   choice(name, value, {{word, value} …}, about)    one of a few words, the default first
//   mark(name, value, meaning, about)      gives the value this meaning where it is given
//   retired(name)                          takes a value and ignores it: an option of earlier versions
//
// Names have hyphens between their words. Defaults are those of inference/model/options.h.
#pragma once

#include "inference/methods/methods.h"
#include "inference/methods/sample.h"
#include "inference/model/options.h"
#include "inference/model/setting_range.h"

namespace fermiac::inference {

/// How a chain of HMC moves.
template <class Visitor>
void visit_engine_settings(Visitor& v, SampleOptions& o) {
  v.template choice<Engine>("sampler", o.engine, {{"nuts", Engine::Nuts}, {"walnuts", Engine::Walnuts}, {"static", Engine::Static}},
                            "how chains move: trees of steps, or of steps that are divided where the density bends sharply, or trajectories of one length");
  v.number("adapt-delta", o.adapt.delta, "target acceptance statistic", {0, 1, true});
  v.number("max-treedepth", o.max_treedepth, "largest depth of the trajectory trees", {1, 50});
  v.number("max-energy-error", o.max_energy_error, "walnuts: steps are halved until the energy along one varies by no more",
           {0, kNoBound, true});
  v.number("max-halvings", o.max_halvings, "walnuts: at most so often", {0, kMostHalvings});
  v.number("int-time", o.integration_time, "static: length of a trajectory, step size times steps", {0, kNoBound, true});
}

template <class Visitor>
void visit_settings(Visitor& v, SampleOptions& o) {
  v.number("chains", o.chains, "number of chains", {1, kMostRuns});
  v.number_or("warmup", o.num_warmup, "auto", o.auto_warmup, "warm-up iterations per chain; auto: 1000 at most, until step size and metric have settled",
              {0, kMostCount});
  v.number("samples", o.num_samples, "draws per chain", {0, kMostCount});
  v.number("until-ess", o.until_ess, "as many draws in place of --samples as this bulk and tail ESS of every quantity takes, R-hat within 1.01 (default: 0, off)",
           {0, 1e9});
  v.number("max-samples", o.max_samples, "with --until-ess: most draws per chain", {1, kMostCount});
  v.number("max-time", o.max_time, "with --until-ess: begin nothing that is expected to end after so many seconds (default: no limit)", {0, 1e9, true});
  v.seed("seed", o.seed, "seed of the random numbers (default: from the clock)");
  v.number("id", o.id, "number of the first chain", {0, kMostCount});
  v.text("output", o.output_dir, "folder for the CSV files (default: a new one beside the model)", "DIR");
  v.flag("overwrite", o.overwrite, "replace files of the same names");
  v.threads("threads", o.threads);
  v.retired("lanes");
  v.init("init", o);
  visit_engine_settings(v, o);
  v.template choice<MetricKind>("metric", o.metric,
                                {{"low_rank", MetricKind::LowRank},
                                 {"fisher_diag", MetricKind::FisherDiag},
                                 {"diag_e", MetricKind::Diag},
                                 {"dense_e", MetricKind::Dense},
                                 {"unit_e", MetricKind::Unit}},
                                "mass matrix: from draws and gradients, or as in CmdStan");
  v.text("metric-file", o.metric_file, "JSON with the initial inverse metric", "F.json");
  v.number("stepsize", o.stepsize, "initial step size", {0, kNoBound, true});
  v.number("stepsize-jitter", o.stepsize_jitter, "relative random change of the step size", {0, 1});
  v.number("adapt-gamma", o.adapt.gamma, "regularisation of the step size adaptation", {0, kNoBound, true});
  v.number("adapt-kappa", o.adapt.kappa, "relaxation exponent of the adaptation", {0, kNoBound, true});
  v.number("adapt-t0", o.adapt.t0, "iteration offset of the adaptation", {0, kNoBound, true});
  v.number("init-buffer", o.adapt.init_buffer, "length of the first fast interval, diag_e and dense_e", {0, kMostCount});
  v.number("term-buffer", o.adapt.term_buffer, "length of the last fast interval", {0, kMostCount});
  v.number("window", o.adapt.window, "first length of the slow windows, diag_e and dense_e", {0, kMostCount});
  v.flag("save-metric", o.save_metric, "write the adapted metric as JSON");
  v.flag("save-config", o.save_config, "write the configuration as JSON");
  v.text("output-name", o.output_name, "start of the file names (default: the model's name)", "TEXT");
  v.number("thin", o.thin, "keep every n-th draw", {1, kMostCount});
  v.flag("save-warmup", o.save_warmup, "write the warm-up draws too");
  v.unset("no-adapt", o.adapt.engaged, "no adaptation");
  v.mark("fixed-param", o.engine, Engine::FixedParam, "do not move: only generated quantities vary");
  v.number("refresh", o.refresh, "iterations between progress lines, 0 for none", {0, kMostCount});
  v.number("sig-figs", o.sig_figs, "significant digits in the CSV files", {1, 18});
  v.unset("no-summary", o.summary, "leave out the table at the end; warnings stay");
}

/// What the methods beside `sample` have in common.
template <class Visitor>
void visit_common_settings(Visitor& v, CommonOptions& o) {
  v.seed("seed", o.seed, "seed of the random numbers (default: from the clock)");
  v.number("id", o.id, "number that chooses the random numbers of one seed", {0, kMostCount});
  v.init("init", o);
  v.text("output", o.output_dir, "folder for the results (default: a new one beside the model)", "DIR");
  v.text("output-name", o.output_name, "start of the file names (default: the model's name)", "TEXT");
  v.flag("overwrite", o.overwrite, "replace files of the same names");
  v.threads("threads", o.threads);
  v.number("refresh", o.refresh, "iterations between progress lines; 0: nothing but problems is printed", {0, kMostCount});
  v.number("sig-figs", o.sig_figs, "significant digits in the CSV files", {1, 18});
  v.flag("save-config", o.save_config, "write the configuration as JSON too");
}

/// The settings of L-BFGS, the same for optimize and pathfinder.
template <class Visitor, class Options>
void visit_tolerances(Visitor& v, Options& o) {
  v.number("init-alpha", o.init_alpha, "length of the first step tried", {0, kNoBound, true});
  v.number("tol-obj", o.tol_obj, "absolute change of the objective", {0, kNoBound});
  v.number("tol-rel-obj", o.tol_rel_obj, "relative change, times machine epsilon", {0, kNoBound});
  v.number("tol-grad", o.tol_grad, "norm of the gradient", {0, kNoBound});
  v.number("tol-rel-grad", o.tol_rel_grad, "relative gradient, times machine epsilon", {0, kNoBound});
  v.number("tol-param", o.tol_param, "change of the parameters", {0, kNoBound});
  v.number("history-size", o.history_size, "updates L-BFGS remembers", {1, kMostCount});
}

template <class Visitor>
void visit_settings(Visitor& v, OptimizeOptions& o) {
  using enum OptimizeOptions::Algorithm;
  visit_common_settings(v, o);
  v.template choice<OptimizeOptions::Algorithm>("algorithm", o.algorithm, {{"lbfgs", Lbfgs}, {"bfgs", Bfgs}, {"newton", Newton}},
                                                "how to climb");
  v.flag("jacobian", o.jacobian, "include the log Jacobian: the mode on the unconstrained scale");
  v.unset("no-jacobian", o.jacobian, "leave it out (default): maximum likelihood where the prior does not count");
  v.number("iter", o.iterations, "most iterations", {0, kMostCount});
  v.flag("save-iterations", o.save_iterations, "write every iteration");
  visit_tolerances(v, o);
}

template <class Visitor>
void visit_settings(Visitor& v, PathfinderOptions& o) {
  visit_common_settings(v, o);
  v.number("num-paths", o.num_paths, "paths", {1, kMostRuns});
  v.retired("lanes");
  v.number("draws", o.num_draws, "draws of each path", {0, kMostCount});
  v.number("psis-draws", o.num_psis_draws, "draws after resampling over the paths", {1, kMostCount});
  v.number("elbo-draws", o.num_elbo_draws, "draws that judge an approximation", {1, kMostCount});
  v.number("max-lbfgs-iters", o.max_lbfgs_iters, "most iterations of a path", {1, kMostCount});
  v.flag("save-single-paths", o.save_single_paths, "write the draws of each path");
  v.unset("no-psis-resample", o.psis_resample, "write all draws as they are");
  v.unset("no-lp", o.calculate_lp, "leave out the density of the draws");
  visit_tolerances(v, o);
}

template <class Visitor>
void visit_settings(Visitor& v, LaplaceOptions& o) {
  visit_common_settings(v, o);
  v.mode("mode", o);
  v.unset("no-jacobian", o.jacobian, "leave out the log Jacobian of the constraints");
  v.number("draws", o.draws, "draws", {0, kMostCount});
  v.unset("no-lp", o.calculate_lp, "leave out the density of the draws");
}

template <class Visitor>
void visit_settings(Visitor& v, VariationalOptions& o) {
  using enum VariationalOptions::Algorithm;
  visit_common_settings(v, o);
  v.template choice<VariationalOptions::Algorithm>("algorithm", o.algorithm, {{"meanfield", MeanField}, {"fullrank", FullRank}},
                                                   "the family");
  v.number("iter", o.iterations, "most iterations", {0, kMostCount});
  v.number("grad-samples", o.grad_samples, "draws for a gradient", {1, kMostCount});
  v.number("elbo-samples", o.elbo_samples, "draws for the bound", {1, kMostCount});
  v.number("eta", o.eta, "scale of the steps, without adaptation", {0, kNoBound, true});
  v.unset("no-adapt", o.adapt_engaged, "use --eta as it is");
  v.number("adapt-iter", o.adapt_iterations, "iterations for each step size tried", {1, kMostCount});
  v.number("tol-rel-obj", o.tol_rel_obj, "relative change of the bound that ends the ascent", {0, kNoBound});
  v.number("eval-elbo", o.eval_elbo, "iterations between evaluations of the bound", {1, kMostCount});
  v.number("draws", o.output_samples, "draws of the approximation", {0, kMostCount});
}

template <class Visitor>
void visit_settings(Visitor& v, GenerateOptions& o) {
  visit_common_settings(v, o);
  v.texts("fitted", o.fitted_params, "folder of the run, or its CSV files", "FILES");
}

template <class Visitor>
void visit_settings(Visitor& v, DiagnoseOptions& o) {
  visit_common_settings(v, o);
  v.number("epsilon", o.epsilon, "step of the differences", {0, kNoBound, true});
  v.number("error", o.error, "largest difference accepted", {0, kNoBound, true});
}

/// Calls take.template operator()<Options>(name, about, function) for each method that is run by one function.
template <class Take>
void each_method(Take take) {
  take.template operator()<OptimizeOptions>("optimize", "find the mode of the density", run_optimize);
  take.template operator()<PathfinderOptions>("pathfinder", "approximate the posterior along quasi-Newton paths", run_pathfinder);
  take.template operator()<LaplaceOptions>("laplace", "draw from the normal approximation at a mode", run_laplace);
  take.template operator()<VariationalOptions>("variational", "fit a normal family by stochastic gradients (ADVI)",
                                               run_variational);
  take.template operator()<GenerateOptions>("generate", "generated quantities for the draws of an earlier run", run_generate);
  take.template operator()<DiagnoseOptions>("diagnose", "compare gradients with finite differences", run_diagnose);
}

}  // namespace fermiac::inference
