#include "inference/approximate/pathfinder.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "inference/math/psis.h"
#include "inference/mcmc/chain.h"
#include "inference/methods/method_run.h"
#include "inference/methods/methods.h"
#include "inference/output/init_files.h"
#include "inference/output/output_layout.h"
#include "inference/output/run_io.h"
#include "support/base/elapsed.h"
#include "support/base/text.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

using Clock = std::chrono::steady_clock;

ConfigNode method_config(const PathfinderOptions& o) {
  ConfigNode settings = ConfigNode::group("pathfinder", search_config(o.search));
  settings.children.insert(settings.children.end(), {
      ConfigNode::integer("num_psis_draws", o.num_psis_draws, 1000),
      ConfigNode::integer("num_paths", o.num_paths, 4),
      ConfigNode::boolean("save_single_paths", o.save_single_paths, false),
      ConfigNode::boolean("psis_resample", o.psis_resample, true),
      ConfigNode::boolean("calculate_lp", o.calculate_lp, true),
      ConfigNode::integer("max_lbfgs_iters", o.max_lbfgs_iters, 1000),
      ConfigNode::integer("num_draws", o.num_draws, 1000),
      ConfigNode::integer("num_elbo_draws", o.num_elbo_draws, 25),
  });
  return ConfigNode::choice("method", "pathfinder", "sample", {std::move(settings)});
}

std::string prefixed(const std::string& text, unsigned path) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "Path [" + std::to_string(path) + "] :" + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

class Pathfinder {
 public:
  Pathfinder(const Model& model, const PathfinderOptions& options, const RunIo& io)
      : options_(options), io_(io), run_(model, options, io), paths_(options.num_paths), csv_(options.sig_figs, ", ") {}

  Status run() { return run_.finish(all()); }

 private:
  Status all() {
    if (Status bad = check(); !bad) return bad;
    Status result = run_.open(method_config(options_), "_pathfinder.csv", &csv_);
    result = csv_.end(result ? approximate() : result);
    if (result) run_.conclude_draws(csv_.path());
    return result;
  }

  Status approximate() {
    const auto start = Clock::now();
    if (Status bad = load_inits(options_, options_.num_paths, options_.id, &inits_); !bad) return bad;
    run_paths();
    path_seconds_ = seconds_since(start);
    if (Status bad = collect(); !bad) return bad;
    run_.drop_others("_path", options_.id, options_.save_single_paths ? options_.num_paths : 0);
    const auto resampling = Clock::now();
    Status result = write_rows(csv_, choose_draws());
    csv_.raw(elapsed_lines(seconds_since(resampling)));
    return result;
  }

  bool resamples() const { return options_.psis_resample && options_.num_paths > 1; }

  std::string elapsed_lines(double resampling_seconds) const {
    const double total = path_seconds_ + resampling_seconds;
    if (run_.conventions().short_path_times && !resamples()) return formatted("# \n# Elapsed Time: %f seconds (Total)\n# \n", total);
    return formatted("# \n# Elapsed Time: %f seconds (Pathfinders)\n#               %f seconds (PSIS)\n"
                "#               %f seconds (Total)\n# \n",
                path_seconds_, resampling_seconds, total);
  }

  Status check() const {
    if (run_.model().unconstrained_size() == 0) return Status::failed("the model has no parameters to approximate");
    if (options_.num_paths == 0) return Status::failed("num_paths is 0, but must be positive");
    if (options_.num_draws == 0 || options_.num_elbo_draws == 0)
      return Status::failed("num_draws and num_elbo_draws must be positive");
    if (options_.psis_resample && !options_.calculate_lp && options_.num_paths > 1)
      return Status::failed("resampling needs the densities: calculate_lp = false goes with psis_resample = false");
    return {};
  }

  void run_paths() {
    std::vector<std::string> reports(options_.num_paths);
    run_parallel(options_.threads, options_.num_paths, [&](std::size_t i) { run_path(static_cast<unsigned>(i), &reports[i]); });
    std::uint64_t evaluations = 0;
    for (unsigned i = 0; i < options_.num_paths; ++i) {
      const std::string report = prefixed(reports[i], options_.id + i);
      if (paths_[i].error.empty()) run_.narrate(report);
      else run_.say(report);
      evaluations += paths_[i].evaluations;
    }
    run_.narrate(formatted("Total log probability function evaluations:%llu\n", static_cast<unsigned long long>(evaluations)));
  }

  void run_path(unsigned i, std::string* report) {
    if (run_.stopped()) {
      paths_[i].error = kInterruptedText;
      return;
    }
    const Model& model = run_.model();
    Target climbing(model, {.propto = true, .jacobian = true}, io_.stop);
    Target sampling(model, {.propto = false, .jacobian = true}, io_.stop);
    Rng rng(run_.seed(), options_.id + i);
    Vec theta(model.unconstrained_size());
    std::optional<SlowWork> slow;
    run_.watch(slow, climbing, formatted("Path [%u] :climbing", options_.id + i));
    if (const Status bad = find_initial_point(inits_[i], climbing, rng, theta, report); !bad) {
      paths_[i].error = bad.message;
      *report += bad.message + "\n";
      return;
    }
    paths_[i] = pathfinder_path(climbing, sampling, options_, theta, rng);
    paths_[i].path.assign(paths_[i].points.size(), options_.id + i);
    *report += paths_[i].log;
    if (!paths_[i].error.empty()) *report += paths_[i].error + "\n";
  }

  Status collect() {
    std::size_t good = 0;
    for (unsigned i = 0; i < options_.num_paths; ++i) {
      if (!paths_[i].error.empty()) continue;
      ++good;
      if (Status bad = write_path(i); !bad) return bad;
      if (!options_.save_single_paths || (!run_.conventions().has_file_of_only_path && options_.num_paths == 1)) continue;
      CsvWriter single(options_.sig_figs, ", ");
      if (Status bad = run_.open(method_config(options_), "_path_" + std::to_string(options_.id + i) + ".csv", &single,
                                 i + 1);
          !bad)
        return single.end(bad);
      if (Status bad = single.end(write_rows(single, paths_[i])); !bad) return bad;
    }
    if (run_.stopped()) return Status::interrupted();
    if (good == 0) return Status::failed("No pathfinders ran successfully");
    if (good < options_.num_paths)
      run_.say(formatted("%zu of %u paths failed and are left out\n", options_.num_paths - good, options_.num_paths));
    return {};
  }

  Status write_path(unsigned i) const {
    const std::string file = run_.layout().path_record(i);
    if (file.empty() || !options_.record_paths) return {};
    return write_text_file(file, true, paths_[i].json + "\n");
  }

  /// All draws of all paths, or as many resampled by importance.
  PathDraws choose_draws() {
    PathDraws all;
    for (PathDraws& path : paths_) {
      if (!path.error.empty()) continue;
      all.lp.insert(all.lp.end(), path.lp.begin(), path.lp.end());
      all.lp_approx.insert(all.lp_approx.end(), path.lp_approx.begin(), path.lp_approx.end());
      all.path.insert(all.path.end(), path.path.begin(), path.path.end());
      std::move(path.points.begin(), path.points.end(), std::back_inserter(all.points));
    }
    if (!resamples()) return all;
    Vec weights(all.lp.size());
    subtract(all.lp, all.lp_approx, weights);
    const bool alike = are_alike(weights);
    const double k = psis_log_weights(weights);
    if (!(k < 0.7) && !alike)
      run_.say(
          formatted("Pareto k value (%.2g) is greater than 0.7. Importance resampling was not able to improve the "
               "approximation, which may indicate that the approximation itself is poor.\n",
               k));
    return resample(all, weights);
  }

  PathDraws resample(const PathDraws& all, const Vec& log_weights) const {
    Vec cumulative(log_weights.size());
    double sum = 0;
    for (std::size_t i = 0; i < cumulative.size(); ++i) cumulative[i] = sum += std::exp(log_weights[i]);
    if (!(sum > 0)) return all;  // no usable density anywhere
    Rng rng(run_.seed() + 1, options_.id);
    PathDraws out;
    for (unsigned d = 0; d < options_.num_psis_draws; ++d) {
      const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), rng.uniform() * sum);
      const auto i = std::min(static_cast<std::size_t>(at - cumulative.begin()), cumulative.size() - 1);
      out.points.push_back(all.points[i]);
      out.lp.push_back(all.lp[i]);
      out.lp_approx.push_back(all.lp_approx[i]);
      out.path.push_back(all.path[i]);
    }
    return out;
  }

  Status write_rows(CsvWriter& csv, const PathDraws& draws) {
    csv.header(columns_after({"lp_approx__", "lp__", "path__"}, run_.model()));
    const std::unique_ptr<ModelWorkspace> workspace = run_.model().workspace();
    DrawRows rows(run_.model(), *workspace, generated_rng(run_.seed(), options_.id), io_, csv);
    for (std::size_t i = 0; i < draws.points.size(); ++i)
      if (!rows.add(Vec{draws.lp_approx[i], draws.lp[i], draws.path[i]}, draws.points[i])) break;
    run_.say(failures_text(rows.failures(), run_.conventions()));
    return rows.result();
  }

  const PathfinderOptions& options_;
  RunIo io_;
  MethodRun run_;
  std::vector<InitSpec> inits_;  // by path
  std::vector<PathDraws> paths_;
  CsvWriter csv_;
  double path_seconds_ = 0;
};

}  // namespace

Status run_pathfinder(const Model& model, const PathfinderOptions& options, const RunIo& io) {
  return Pathfinder(model, options, io).run();
}

}  // namespace fermiac::inference
