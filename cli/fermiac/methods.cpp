#include "cli/fermiac/methods.h"

#include <CLI/CLI.hpp>

#include "cli/fermiac/checked_option.h"
#include "cli/fermiac/include_options.h"
#include "cli/fermiac/levels.h"
#include "cli/fermiac/run_model.h"
#include "cli/fermiac/threads.h"
#include "inference/methods.h"

namespace fermiac::cli {
namespace {

using namespace inference;

/// One method: its options, and the function that runs it.
template <class Options>
struct Method {
  ModelArgs model;
  Options options;
};

template <class Options>
using RunMethod = int (*)(const Model&, const Options&, const RunIo&);

template <class Options>
int run_method(const Method<Options>& method, RunMethod<Options> run, Stop& stop) {
  const std::unique_ptr<Model> model = load_model(method.model, stop);
  if (!model) return 1;
  Options options = method.options;
  describe_model(method.model, &options);
  return run(*model, options, terminal_io(stop));
}

void add_common(CLI::App& command, ModelArgs& model, CommonOptions& o) {
  command.add_option("model", model.model, "Stan program")->required()->type_name("M.stan");
  command.add_option("--data", model.data, "JSON file with the data")->type_name("D.json");
  add_include_options(command, model.include_paths, model.include_rule);
  add_timeout(command, model.timeout, "end after so many seconds and keep what there is");
  add_level_options(command, model.level);
  add_seed(command, o.seed, "seed of the random numbers (default: from the clock)")->type_name("N");
  add_number(command, "--id", o.id, "number that chooses the random numbers of one seed", {0, kMostCount});
  command.add_option("--init", o.init, "initial values: a radius, 0, or a JSON file")
      ->check(init_problem, "")
      ->capture_default_str();
  command.add_option("--output", o.output_dir, "folder for the results (default: a new one beside the model)")
      ->type_name("DIR");
  command.add_option("--output-name", o.output_name, "start of the file names (default: the model's name)");
  command.add_flag("--overwrite", o.overwrite, "replace files of the same names");
  add_threads_option(command, o.threads);
  add_number(command, "--refresh", o.refresh, "iterations between progress lines, 0 for none", {0, kMostCount});
  add_number(command, "--sig-figs", o.sig_figs, "significant digits in the CSV files", {1, 18});
  command.add_flag("--save-config", o.save_config, "write the configuration as JSON too");
}

template <class Options>
std::pair<CLI::App*, std::shared_ptr<Method<Options>>> add_method(CLI::App& app, Invocation& call, const char* name,
                                                                  const char* about, RunMethod<Options> function) {
  CLI::App* command = app.add_subcommand(name, about);
  auto method = std::make_shared<Method<Options>>();
  add_common(*command, method->model, method->options);
  command->callback([&call, method, function] {
    call = {[method, function](Stop& stop) { return run_method(*method, function, stop); }, &method->model,
            &method->options.threads, &method->model.timeout};
  });
  return {command, method};
}

/// The settings of L-BFGS, the same for optimize and pathfinder.
template <class Options>
void add_tolerances(CLI::App& command, Options& o) {
  add_number(command, "--init-alpha", o.init_alpha, "length of the first step tried", {0, kNoBound, true});
  add_number(command, "--tol-obj", o.tol_obj, "absolute change of the objective", {0, kNoBound});
  add_number(command, "--tol-rel-obj", o.tol_rel_obj, "relative change, times machine epsilon", {0, kNoBound});
  add_number(command, "--tol-grad", o.tol_grad, "norm of the gradient", {0, kNoBound});
  add_number(command, "--tol-rel-grad", o.tol_rel_grad, "relative gradient, times machine epsilon", {0, kNoBound});
  add_number(command, "--tol-param", o.tol_param, "change of the parameters", {0, kNoBound});
  add_number(command, "--history-size", o.history_size, "updates L-BFGS remembers", {1, kMostCount});
}

void add_optimize(CLI::App& app, Invocation& call) {
  auto [command, method] =
      add_method<OptimizeOptions>(app, call, "optimize", "find the mode of the density", run_optimize);
  OptimizeOptions& o = method->options;
  using enum OptimizeOptions::Algorithm;
  add_choice<OptimizeOptions::Algorithm>(*command, "--algorithm", o.algorithm,
                                         {{"lbfgs", Lbfgs}, {"bfgs", Bfgs}, {"newton", Newton}}, "how to climb");
  command->add_flag("--jacobian", o.jacobian, "include the log Jacobian: the mode on the unconstrained scale");
  add_number(*command, "--iter", o.iterations, "most iterations", {0, kMostCount});
  command->add_flag("--save-iterations", o.save_iterations, "write every iteration");
  add_tolerances(*command, o);
}

void add_pathfinder(CLI::App& app, Invocation& call) {
  auto [command, method] = add_method<PathfinderOptions>(
      app, call, "pathfinder", "approximate the posterior along quasi-Newton paths", run_pathfinder);
  PathfinderOptions& o = method->options;
  add_number(*command, "--num-paths", o.num_paths, "paths", {1, kMostRuns});
  add_number(*command, "--draws", o.num_draws, "draws of each path", {0, kMostCount});
  add_number(*command, "--psis-draws", o.num_psis_draws, "draws after resampling over the paths", {1, kMostCount});
  add_number(*command, "--elbo-draws", o.num_elbo_draws, "draws that judge an approximation", {1, kMostCount});
  add_number(*command, "--max-lbfgs-iters", o.max_lbfgs_iters, "most iterations of a path", {1, kMostCount});
  command->add_flag("--save-single-paths", o.save_single_paths, "write the draws of each path");
  command->add_flag("--no-psis-resample{false}", o.psis_resample, "write all draws as they are");
  command->add_flag("--no-lp{false}", o.calculate_lp, "leave out the density of the draws");
  add_tolerances(*command, o);
}

void add_laplace(CLI::App& app, Invocation& call) {
  auto [command, method] =
      add_method<LaplaceOptions>(app, call, "laplace", "draw from the normal approximation at a mode", run_laplace);
  LaplaceOptions& o = method->options;
  command->add_option("--mode", o.mode, "CSV of optimize --jacobian, or JSON of the parameters")->required();
  command->add_flag("--no-jacobian{false}", o.jacobian, "leave out the log Jacobian of the constraints");
  add_number(*command, "--draws", o.draws, "draws", {0, kMostCount});
  command->add_flag("--no-lp{false}", o.calculate_lp, "leave out the density of the draws");
}

void add_variational(CLI::App& app, Invocation& call) {
  auto [command, method] = add_method<VariationalOptions>(
      app, call, "variational", "fit a normal family by stochastic gradients (ADVI)", run_variational);
  VariationalOptions& o = method->options;
  using enum VariationalOptions::Algorithm;
  add_choice<VariationalOptions::Algorithm>(*command, "--algorithm", o.algorithm,
                                            {{"meanfield", MeanField}, {"fullrank", FullRank}}, "the family");
  add_number(*command, "--iter", o.iterations, "most iterations", {0, kMostCount});
  add_number(*command, "--grad-samples", o.grad_samples, "draws for a gradient", {1, kMostCount});
  add_number(*command, "--elbo-samples", o.elbo_samples, "draws for the bound", {1, kMostCount});
  add_number(*command, "--eta", o.eta, "scale of the steps, without adaptation", {0, kNoBound, true});
  command->add_flag("--no-adapt{false}", o.adapt_engaged, "use --eta as it is");
  add_number(*command, "--adapt-iter", o.adapt_iterations, "iterations for each step size tried", {1, kMostCount});
  add_number(*command, "--tol-rel-obj", o.tol_rel_obj, "relative change of the bound that ends the ascent", {0, kNoBound});
  add_number(*command, "--eval-elbo", o.eval_elbo, "iterations between evaluations of the bound", {1, kMostCount});
  add_number(*command, "--draws", o.output_samples, "draws of the approximation", {0, kMostCount});
}

void add_generate(CLI::App& app, Invocation& call) {
  auto [command, method] = add_method<GenerateOptions>(
      app, call, "generate", "generated quantities for the draws of an earlier run", run_generate);
  command->add_option("--fitted", method->options.fitted_params, "CSV files of the run")
      ->required()
      ->type_name("FILES");
}

void add_diagnose(CLI::App& app, Invocation& call) {
  auto [command, method] =
      add_method<DiagnoseOptions>(app, call, "diagnose", "compare gradients with finite differences", run_diagnose);
  add_number(*command, "--epsilon", method->options.epsilon, "step of the differences", {0, kNoBound, true});
  add_number(*command, "--error", method->options.error, "largest difference accepted", {0, kNoBound, true});
}

}  // namespace

void add_methods(CLI::App& app, Invocation& call) {
  add_optimize(app, call);
  add_pathfinder(app, call);
  add_laplace(app, call);
  add_variational(app, call);
  add_generate(app, call);
  add_diagnose(app, call);
}

}  // namespace fermiac::cli
