#include <algorithm>
#include <optional>

#include "inference/approximate/kinks.h"
#include "inference/approximate/quasi_newton.h"
#include "inference/math/psis.h"
#include "inference/methods/method_run.h"
#include "inference/methods/methods.h"
#include "inference/model/second_derivatives.h"
#include "inference/output/draw_files.h"
#include "inference/output/output_layout.h"
#include "inference/output/run_io.h"
#include "support/base/json.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

ConfigNode method_config(const LaplaceOptions& o) {
  return ConfigNode::choice("method", "laplace", "sample",
                            {ConfigNode::group("laplace", {
                                                              ConfigNode::text("mode", o.mode, ""),
                                                              ConfigNode::boolean("jacobian", o.jacobian, true),
                                                              ConfigNode::integer("draws", o.draws, 1000),
                                                              ConfigNode::boolean("calculate_lp", o.calculate_lp, true),
                                                          })});
}

constexpr std::size_t kEnoughToJudge = 100;  // draws: of fewer the tail of the weights is not known

/// `first`: the mode is the first row of a CSV file; else the last.
Status load_mode(const Model& model, const LaplaceOptions& options, bool first, Span theta) {
  std::vector<std::string> files;
  if (!options.mode_values.empty()) {
    const EvalStatus status = model.unconstrain_json(options.mode_values, {}, theta);
    return status ? Status{} : Status::failed("the mode: " + status.message);
  }
  if (Status bad = draw_files({options.mode}, &files); !bad) return bad;
  const std::string& file = files.front();
  if (file.ends_with(".json")) {
    std::string json;
    if (Status bad = read_text_file(file, &json); !bad) return bad;
    if (const EvalStatus status = model.unconstrain_json(json, {}, theta); !status)
      return Status::failed("'" + file + "': " + status.message);
    return {};
  }
  CsvDraws draws;
  RowReader reader;
  if (Status bad = read_csv(file, &draws); !bad) return bad;
  if (draws.truncated) return Status::failed(draws.what_is_missing() + ": the mode is not in it");
  if (draws.rows == 0) return Status::failed("'" + file + "' has no row with the mode");
  if (Status bad = reader.open(model, draws); !bad) return bad;
  return reader.unconstrain(draws, first ? 0 : draws.rows - 1, theta);
}

class Laplace {
 public:
  Laplace(const Model& model, const LaplaceOptions& options, const RunIo& io)
      : options_(options),
        run_(model, options, io),
        target_(model, {.propto = true, .jacobian = options.jacobian}, io.stop),
        csv_(options.sig_figs),
        mode_(model.unconstrained_size()) {}

  Status run() { return run_.finish(all()); }

 private:
  Status all() {
    const bool given = !options_.mode.empty() || !options_.mode_values.empty();
    if (Status bad = given ? load_mode(run_.model(), options_, run_.conventions().first_row_is_mode, mode_) : climb(); !bad) return bad;
    Vec gradient(mode_.size());
    const double lp = target_.gradient(mode_, gradient);
    if (!std::isfinite(lp))
      return Status::failed("the density is not finite at the mode: " + target_.last_message());
    if (!std::isfinite(norm(gradient))) return Status::failed("the gradient is not finite at the mode");
    if (norm(gradient) > 1e-2 * std::fmax(1.0, norm(mode_)))
      run_.say(formatted("The gradient at the mode has norm %g: this may not be a mode%s.\n", norm(gradient),
                    options_.jacobian ? " of the density with the Jacobian (optimize with the same setting)" : ""));
    if (Status bad = factorise(gradient, lp); !bad) return bad;
    if (!given) run_.narrate(formatted("Found a mode in %u iterations, log density %g\n", iterations_, lp));
    if (Status bad = run_.open(method_config(options_), "_laplace.csv", &csv_); !bad) return bad;
    run_.narrate("Generating draws\n");
    Status result = csv_.end(draw());
    if (result) run_.conclude_draws(csv_.path());
    return result;
  }

  /// Finds the mode from the starting values.
  Status climb() {
    if (!run_.conventions().finds_mode) return Status::failed("laplace needs a mode: a CSV file of optimize or a JSON file of the parameters");
    Rng rng(run_.seed(), options_.id);
    std::optional<SlowWork> slow;
    run_.watch(slow, target_, "looking for the mode");
    if (Status bad = run_.initial_point(target_, options_.id, rng, mode_); !bad) return bad;
    QuasiNewton climber(target_, {});
    if (!climber.start(mode_)) return Status::failed("the density is not finite at the starting values");
    StepStatus status = StepStatus::Going;
    while (status == StepStatus::Going) status = climber.step();
    if (target_.fatal()) return target_.ended();
    if (status == StepStatus::Stopped) return Status::interrupted();
    if (status != StepStatus::MaxIterations) {
      const Ending end = settle_climb(target_, climber.position(), status, QuasiNewtonOptions{}.max_iterations);
      status = end.status;
      std::ranges::copy(end.position, mode_.begin());
      if (!end.kinks.empty()) return Status::failed("no normal approximation at the mode, log density " + formatted("%g", end.lp) + ". " + kink_text(run_.model(), end.kinks));
    } else if (climber.grows_without_bound()) {
      status = StepStatus::Unbounded;
    }
    if (is_failure(status) || status == StepStatus::MaxIterations) return Status::failed("no mode was found: " + std::string(status_text(status)));
    iterations_ = climber.iteration();
    run_.narrate("Optimization terminated normally: \n  " + std::string(status_text(status)) + "\n");
    return {};
  }

  /// What is known of the mode, for layouts with a file for it: density, gradient, Hessian.
  Status write_diagnostic(const Vec& gradient, double lp) const {
    const std::string path = run_.layout().diagnostic(0);
    if (path.empty()) return {};
    const std::size_t n = mode_.size();
    std::string out;
    JsonGroup object(out, JsonGroup::Kind::Object);
    object.member("lp") += json_number(lp);
    object.member("gradient") += json_list(gradient);
    JsonGroup rows(object.member("Hessian"), JsonGroup::Kind::Array);
    for (std::size_t i = 0; i < n; ++i) rows.item() += json_list(ConstSpan(factor_).subspan(i * n, n));
    rows.end();
    object.end();
    return write_text_file(path, true, out + "\n");
  }

  Status factorise(const Vec& gradient, double lp) {
    run_.narrate("Calculating Hessian\n");
    std::optional<SlowWork> slow;
    run_.watch(slow, target_, "second derivatives");
    if (!hessian(target_, mode_, &factor_)) return Status::failed("the density is not finite around the mode");
    if (Status bad = write_diagnostic(gradient, lp); !bad) return bad;
    for (double& x : factor_) x = -x;
    run_.narrate("Calculating inverse of Cholesky factor\n");
    if (cholesky_in_place(factor_, mode_.size())) return {};
    return Status::failed(
        "the Hessian of the log density at the mode is not negative definite, so there is no normal approximation. The "
        "point may not be a mode, or the density is flat in some direction.");
  }

  /// theta = mode + L^-T z has covariance (L L')^-1, the inverse of the negated Hessian.
  Status draw() {
    csv_.header(columns_after({"log_p__", "log_q__"}, run_.model()));
    Rng rng(run_.seed(), options_.id);
    DrawRows rows(run_.model(), target_.workspace(), generated_rng(run_.seed(), options_.id), run_.io(), csv_);
    Vec z(mode_.size()), log_ratios;
    bool going = !run_.stopped();
    for (unsigned i = 0; i < options_.draws && going; ++i) {
      rng.normals(z);
      const double log_q = -0.5 * dot(z, z);
      solve_lower_transposed(factor_, z.size(), z);
      axpy(1, mode_, z);
      const double log_p = options_.calculate_lp ? target_.value(z) : kNaN;
      log_ratios.push_back(log_p - log_q);
      going = rows.add(Vec{log_p, log_q}, z);
    }
    run_.say(failures_text(rows.failures(), run_.conventions()));
    if (going && run_.conventions().guides && options_.calculate_lp) judge(log_ratios);
    return rows.result();
  }

  /// Weights that would make draws of the posterior of these tell how far it is from the normal approximation.
  void judge(Vec& log_ratios) const {
    if (log_ratios.size() < kEnoughToJudge || are_alike(log_ratios)) return;
    const double k = psis_log_weights(log_ratios);
    if (k < 0.7) return;
    run_.say(formatted("Pareto k value (%.2g) is greater than 0.7: the posterior is far from the normal approximation at its mode, and so may be "
                  "what follows from these draws. sample draws from the posterior itself.\n", k));
  }

  const LaplaceOptions& options_;
  MethodRun run_;
  Target target_;
  CsvWriter csv_;
  Vec mode_, factor_;
  unsigned iterations_ = 0;  // of the climb
};

}  // namespace

Status run_laplace(const Model& model, const LaplaceOptions& options, const RunIo& io) {
  return Laplace(model, options, io).run();
}

}  // namespace fermiac::inference
