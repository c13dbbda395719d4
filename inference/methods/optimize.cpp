#include <algorithm>
#include <optional>

#include "inference/approximate/kinks.h"
#include "inference/approximate/newton.h"
#include "inference/approximate/quasi_newton.h"
#include "inference/mcmc/chain.h"
#include "inference/methods/method_run.h"
#include "inference/methods/methods.h"
#include "inference/model/column_names.h"
#include "inference/output/posterior_table.h"
#include "inference/output/run_io.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

constexpr unsigned kSettlingSteps = 10;  // at most, in iterations: they cost one gradient each

using Algorithm = OptimizeOptions::Algorithm;

ConfigNode algorithm_config(const OptimizeOptions& o) {
  if (o.algorithm == Algorithm::Newton) return ConfigNode::choice("algorithm", "newton", "lbfgs");
  const bool limited = o.algorithm == Algorithm::Lbfgs;
  ConfigNode settings = ConfigNode::group(limited ? "lbfgs" : "bfgs", search_config(o.search));
  if (!limited) settings.children.pop_back();  // history_size
  return ConfigNode::choice("algorithm", limited ? "lbfgs" : "bfgs", "lbfgs", {std::move(settings)});
}

ConfigNode method_config(const OptimizeOptions& o) {
  return ConfigNode::choice(
      "method", "optimize", "sample",
      {ConfigNode::group("optimize", {
                                         algorithm_config(o),
                                         ConfigNode::boolean("jacobian", o.jacobian, false),
                                         ConfigNode::integer("iter", o.iterations, 2000),
                                         ConfigNode::boolean("save_iterations", o.save_iterations, false),
                                     })});
}

class Optimizer {
 public:
  Optimizer(const Model& model, const OptimizeOptions& options, const RunIo& io)
      : options_(options),
        run_(model, options, io),
        target_(model, {.propto = true, .jacobian = options.jacobian}, io.stop),
        csv_(options.sig_figs),
        writer_(model, target_.workspace(), generated_rng(run_.seed(), options.id)),
        q_(model.unconstrained_size()) {}

  Status run() { return run_.finish(optimize()); }

 private:
  Status optimize() {
    if (q_.empty()) return Status::failed("the model has no parameters: there is nothing to optimize");
    Status result = run_.open(method_config(options_), "_optimize.csv", &csv_);
    result = csv_.end(result ? climb() : result);
    if (result) print_optimum();
    return result;
  }

  Status climb() {
    Rng rng(run_.seed(), options_.id);
    std::optional<SlowWork> slow;
    run_.watch(slow, target_, "looking for the optimum");
    if (Status bad = run_.initial_point(target_, options_.id, rng, q_); !bad) return bad;
    std::vector<std::string> lead = {"lp__"};
    if (run_.conventions().has_converged_column) lead.push_back("converged__");
    csv_.header(columns_after(std::move(lead), run_.model()));
    Status result = options_.algorithm == Algorithm::Newton ? newton() : quasi_newton();
    if (target_.fatal()) return target_.ended();
    return writer_.fatal_message().empty() ? result : Status::failed(writer_.fatal_message());
  }

  void write(double lp, ConstSpan q, StepStatus status = StepStatus::Going) {
    RejectLog failures;
    lp_ = lp;
    const ConstSpan values = writer_.write(q, &failures);
    values_.assign(values.begin(), values.end());
    for (const auto& [key, entry] : failures.entries()) run_.say(std::string(run_.conventions().exception_prefix) + entry.first + "\n");
    csv_.row(run_.conventions().has_converged_column ? Vec{lp, 1.0 * convergence_code(status)} : Vec{lp}, values);
  }

  Status quasi_newton() {
    QuasiNewton minimizer(target_, {.search = options_.search, .max_iterations = options_.iterations, .dense = options_.algorithm == Algorithm::Bfgs});
    if (!minimizer.start(q_)) return Status::failed("the density is not finite at the initial point");
    run_.narrate(formatted("Initial log joint probability = %g\n", minimizer.lp()));
    if (options_.save_iterations) write(minimizer.lp(), minimizer.position());
    StepStatus status = options_.iterations == 0 ? StepStatus::MaxIterations : StepStatus::Going;
    while (status == StepStatus::Going) {
      status = minimizer.step();
      progress(minimizer, status);
      if (options_.save_iterations && status == StepStatus::Going) write(minimizer.lp(), minimizer.position());
    }
    if (status == StepStatus::MaxIterations && minimizer.grows_without_bound()) status = StepStatus::Unbounded;
    return finish(minimizer.position(), minimizer.lp(), status);
  }

  /// A density that rises without bound has no point at which a climb could end.
  Ending ending(ConstSpan q, double lp, StepStatus status) {
    const bool ended = status != StepStatus::MaxIterations && status != StepStatus::Unbounded && status != StepStatus::Stopped;
    if (!ended || options_.search.tol_param > LineSearchOptions{}.tol_param) return {.status = status, .lp = lp, .position = Vec(q.begin(), q.end()), .kinks = {}};
    const double relative = 100 * kEpsilon * std::max(options_.search.tol_rel_obj, options_.search.tol_rel_grad);
    return settle_climb(target_, q, status, kSettlingSteps * options_.iterations,
                        std::max({kSmallGain, relative, 10 * options_.search.tol_obj}));
  }

  Status finish(ConstSpan q, double lp, StepStatus status) {
    Ending end = ending(q, lp, status);
    // To CmdStan's clients a failed line search of (L-)BFGS is one, at a kink too.
    if (run_.conventions().failed_search_is_error && status == StepStatus::LineSearchFailed && !end.kinks.empty() && options_.algorithm != Algorithm::Newton) end.status = status;
    write(end.lp, end.position, end.status);
    tell_reason(end.status);
    if (!end.kinks.empty()) run_.say("  " + kink_text(run_.model(), end.kinks) + "\n");
    if (!is_failure(end.status)) return {};
    const std::string where = csv_.holding("the last point");
    return {end.status == StepStatus::Stopped ? StatusCode::Interrupted : StatusCode::Failed, where};
  }

  /// Why the climb ended. On the console alone: readers take what follows the header line of an optimum for numbers.
  void tell_reason(StepStatus status) {
    const std::string how = std::string("Optimization terminated ") + (is_failure(status) ? "with error" : "normally") + ": ";
    const std::string why(status_text(status));
    converged_ = !is_failure(status) && status != StepStatus::MaxIterations;
    if (converged_) run_.narrate(how + "\n  " + why + "\n");
    else run_.say(how + "\n  " + why + "\n");
  }

  void progress(const QuasiNewton& m, StepStatus status) {
    if (options_.refresh == 0) return;
    const bool shown =
        m.iteration() == 1 || m.iteration() % options_.refresh == 0 || status != StepStatus::Going || !m.note().empty();
    if (!shown) return;
    if (lines_++ % 50 == 0)
      run_.say("    Iter      log prob        ||dx||      ||grad||       alpha      alpha0  # evals  Notes \n");
    run_.say(formatted(" %7u  %12g  %12g  %12g  %10.4g  %10.4g  %7llu   %s\n", m.iteration(), m.lp(), m.step_norm(),
                  m.gradient_norm(), m.alpha(), m.alpha0(), static_cast<unsigned long long>(target_.evaluations()),
                  m.note().c_str()));
  }

  Status newton() {
    Newton climber(target_, options_.iterations);
    if (!climber.start(q_)) return Status::failed("the density is not finite at the initial point");
    run_.narrate(formatted("Initial log joint probability = %g\n", climber.lp()));
    if (options_.save_iterations) write(climber.lp(), climber.position());
    StepStatus status = StepStatus::Going;
    while (status == StepStatus::Going) {
      status = climber.step();
      if (status == StepStatus::MaxIterations) break;
      if (options_.refresh > 0)
        run_.say(formatted("Iteration %2u. Log joint probability = %10.6g. Improved by %g.\n", climber.iteration(), climber.lp(), climber.gain()));
      if (options_.save_iterations && status == StepStatus::Going) write(climber.lp(), climber.position());
    }
    return finish(climber.position(), climber.lp(), status);
  }

  void print_optimum() {
    const std::vector<std::string> names = run_.model().names(true, true);
    std::string out = formatted("lp__ = %.8g\n", lp_);
    const ShownRows shown = shown_rows(names, false);
    auto cut = shown.cuts.begin();
    for (const std::size_t i : shown.rows) {
      out += formatted("%s = %.8g\n", pretty_name(names[i]).c_str(), values_[i]);
      if (cut == shown.cuts.end() || cut->first != i + 1) continue;
      out += formatted("  … to %s: %zu more\n", pretty_name(names[cut->last]).c_str(), cut->last - i);
      ++cut;
    }
    const std::string what = converged_ ? "The optimum" : "No optimum was found: the last point";
    run_.conclude(out + what + " is in '" + csv_.path() + "'.\n");
  }

  const OptimizeOptions& options_;
  MethodRun run_;
  Target target_;
  CsvWriter csv_;
  OutputWriter writer_;
  Vec q_, values_;
  double lp_ = 0;
  unsigned lines_ = 0;
  bool converged_ = false;
};

}  // namespace

Status run_optimize(const Model& model, const OptimizeOptions& options, const RunIo& io) {
  return Optimizer(model, options, io).run();
}

}  // namespace fermiac::inference
