#include <chrono>
#include <optional>

#include "inference/approximate/variational.h"
#include "inference/methods/method_run.h"
#include "inference/methods/methods.h"
#include "inference/model/init.h"
#include "inference/model/output_writer.h"
#include "inference/output/output_layout.h"
#include "inference/output/run_io.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

ConfigNode method_config(const VariationalOptions& o) {
  const bool full = o.algorithm == VariationalOptions::Algorithm::FullRank;
  const std::string name = full ? "fullrank" : "meanfield";
  return ConfigNode::choice(
      "method", "variational", "sample",
      {ConfigNode::group("variational",
                         {
                             ConfigNode::choice("algorithm", name, "meanfield", {ConfigNode::group(name)}),
                             ConfigNode::integer("iter", o.iterations, 10000),
                             ConfigNode::integer("grad_samples", o.grad_samples, 1),
                             ConfigNode::integer("elbo_samples", o.elbo_samples, 100),
                             ConfigNode::number("eta", o.eta, 1),
                             ConfigNode::group("adapt", {ConfigNode::boolean("engaged", o.adapt_engaged, true),
                                                         ConfigNode::integer("iter", o.adapt_iterations, 50)}),
                             ConfigNode::number("tol_rel_obj", o.tol_rel_obj, 0.01),
                             ConfigNode::integer("eval_elbo", o.eval_elbo, 100),
                             ConfigNode::integer("output_samples", o.output_samples, 1000),
                         })});
}

Status check(const VariationalOptions& o, const Model& model) {
  if (model.unconstrained_size() == 0) return Status::failed("the model has no parameters to approximate");
  if (o.grad_samples == 0 || o.elbo_samples == 0 || o.eval_elbo == 0 || o.iterations == 0)
    return Status::failed("iter, grad_samples, elbo_samples and eval_elbo must be positive");
  if (!(o.eta > 0) || !(o.tol_rel_obj > 0)) return Status::failed("eta and tol_rel_obj must be positive");
  if (o.adapt_engaged && o.adapt_iterations == 0) return Status::failed("adapt iter must be positive");
  return {};
}

/// The diagnostic file, in layouts with one: the bound and when it was reached.
class BoundFile {
 public:
  BoundFile(const MethodRun& run, const VariationalOptions& o) : run_(run), options_(o), csv_(o.sig_figs) {}

  Status open() {
    if (!wanted()) return {};
    if (Status bad = csv_.open(run_.layout().diagnostic(0), options_.overwrite); !bad) return bad;
    csv_.raw(diagnostic_prolog(run_.model(), run_.layout().config({}), options_));
    csv_.header({"iter", "time_in_seconds", "ELBO"});
    return {};
  }
  void add(unsigned iteration, double bound) {
    if (!wanted()) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    csv_.row(Vec{1.0 * iteration, taken.count(), bound}, {});
  }
  Status close() { return wanted() ? csv_.close() : Status{}; }

 private:
  bool wanted() const { return !run_.layout().diagnostic(0).empty(); }

  const MethodRun& run_;
  const VariationalOptions& options_;
  CsvWriter csv_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Status fit_and_draw(MethodRun& run, const Model& model, const VariationalOptions& o, const RunIo& io, CsvWriter& csv) {
  Target target(model, {.propto = false, .jacobian = true}, io.stop);
  Rng rng(run.seed(), o.id);
  Vec theta(model.unconstrained_size());
  std::optional<SlowWork> slow;
  run.watch(slow, target, "looking for the approximation");
  if (Status bad = run.initial_point(target, o.id, rng, theta); !bad) return bad;
  csv.header(columns_after({"lp__", "log_p__", "log_g__"}, model));
  if (run.conventions().times_gradient) {
    Vec gradient(theta.size());
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(target.gradient(theta, gradient));
    run.narrate(gradient_time_text(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()));
  }
  Advi advi(target, o, rng, [&](const std::string& message) { run.narrate(message); });
  BoundFile bounds(run, o);
  if (Status bad = bounds.open(); !bad) return bad;
  advi.tell_bound([&](unsigned iteration, double bound) { bounds.add(iteration, bound); });
  if (Status bad = advi.fit(theta); !bad) return bad;
  if (Status bad = bounds.close(); !bad) return bad;
  if (o.adapt_engaged) csv.raw("# Stepsize adaptation complete.\n# eta = " + format_number(advi.eta(), 6) + "\n");

  slow.reset();
  DrawRows rows(model, target.workspace(), generated_rng(run.seed(), o.id), io, csv);
  bool going = rows.add(Vec{0, 0, 0}, advi.family().mean());  // first the mean of the approximation
  run.narrate(formatted("\nDrawing a sample of size %u from the approximate posterior... \n", o.output_samples));
  Vec eta(theta.size());
  for (unsigned i = 0; i < o.output_samples && going; ++i) {
    rng.normals(eta);
    advi.family().transform(eta, theta);
    going = rows.add(Vec{0, target.value(theta), -0.5 * dot(eta, eta)}, theta);
  }
  run.say(failures_text(rows.failures(), run.conventions()));
  return rows.result();
}

Status variational(MethodRun& run, const Model& model, const VariationalOptions& o, const RunIo& io) {
  if (Status bad = check(o, model); !bad) return bad;
  CsvWriter csv(o.sig_figs);
  if (Status bad = run.open(method_config(o), "_variational.csv", &csv); !bad) return csv.end(bad);
  if (Status bad = csv.end(fit_and_draw(run, model, o, io, csv)); !bad) return bad;
  run.narrate("COMPLETED.\n");
  run.conclude_draws(csv.path(), 1);
  return {};
}

}  // namespace

Status run_variational(const Model& model, const VariationalOptions& options, const RunIo& io) {
  MethodRun run(model, options, io);
  return run.finish(variational(run, model, options, io));
}

}  // namespace fermiac::inference
