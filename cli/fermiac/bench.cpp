// `fermiac bench`: time of one gradient of the sampling density, after everything that happens once.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "cli/fermiac/commands.h"
#include "cli/fermiac/load.h"
#include "inference/parallel.h"
#include "support/json.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// theta_i = 0.3 sin(1 + 0.7 i), the point at which reference speeds are measured.
std::vector<double> bench_point(std::size_t n) {
  std::vector<double> theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  return theta;
}

/// The point alone, or many around it: branches on parameters then change from evaluation to evaluation.
std::vector<std::vector<double>> bench_points(const std::vector<double>& theta, double spread) {
  constexpr std::size_t kPoints = 61;
  std::vector<std::vector<double>> points(spread > 0 ? kPoints : 1, theta);
  for (std::size_t k = 1; k < points.size(); ++k)
    for (std::size_t i = 0; i < theta.size(); ++i)
      points[k][i] += spread * std::sin(1.3 * static_cast<double>(k) + static_cast<double>(i));
  return points;
}

struct Timing {
  double us_per_grad = 0;
  std::size_t evals = 0;
};

/// The fastest of several windows: other programs can only slow a window down.
/// Stop::requested() cuts it short.
Timing measure(ModelWorkspace& workspace, const std::vector<std::vector<double>>& points, double seconds) {
  constexpr int kWindows = 8;
  std::vector<double> gradient(points[0].size());
  double lp = 0;
  std::size_t batch = 1, at = 0;
  const auto run_batch = [&] {
    for (std::size_t i = 0; i < batch && !Stop::requested(); ++i) {
      workspace.log_density_gradient(points[at], {}, &lp, gradient);
      if (++at == points.size()) at = 0;
    }
  };
  for (;; batch *= 2) {  // a batch long enough for the clock
    const auto start = Clock::now();
    run_batch();
    if (seconds_since(start) > seconds / kWindows / 2 || batch > (1u << 30) || Stop::requested()) break;
  }
  Timing best{INFINITY, 0};
  for (int w = 0; w < kWindows && !Stop::requested(); ++w) {
    const auto start = Clock::now();
    run_batch();
    best.us_per_grad = std::min(best.us_per_grad, seconds_since(start) * 1e6 / static_cast<double>(batch));
    best.evals += batch;
  }
  return best;
}

int interrupted(const Stop& stop) {
  std::fprintf(stderr, "fermiac bench: %s\n", stop.reason().c_str());
  return 1;
}

long resident_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

std::string result_line(const std::string& engine, const Timing& timing, double prep_ms, std::size_t params,
                        const interp::TapeStatistics& stats) {
  const std::pair<std::string_view, std::string> members[] = {
      {"us_per_grad", fmt::format("{:.6g}", timing.us_per_grad)},
      {"evals", fmt::format("{}", timing.evals)},
      {"prep_ms", fmt::format("{:.4g}", prep_ms)},
      {"params", fmt::format("{}", params)},
      {"ops_recorded", fmt::format("{}", stats.ops_recorded)},
      {"ops", fmt::format("{}", stats.ops)},
      {"isa", json_quote(ad::isa_name(ad::active_isa()))},
      {"engine", json_quote(engine)},
      {"tape_kib", fmt::format("{}", stats.bytes / 1024)},
      {"workspace_kib", fmt::format("{}", stats.workspace_bytes / 1024)},
      {"peak_rss_kib", fmt::format("{}", resident_kib())},
  };
  std::string line;
  JsonGroup object(line, JsonGroup::Kind::Object);
  for (const auto& [key, value] : members) object.member(key) += value;
  object.end();
  return line + "\n";
}

}  // namespace

int run_bench(const BenchArgs& args, Stop& stop) {
  const auto start = Clock::now();
  ModelArgs given = args.model;
  given.machine_code |= args.engine == "native";
  const auto model = load_interp_model(given, stop);
  if (!model) return 1;
  model->set_tapes(args.engine == "replay");
  const std::vector<double> theta = bench_point(model->unconstrained_size());
  if (args.dump_tape) {
    write_output(model->dump_tape(theta, {}));
    return 0;
  }
  const auto workspace = model->workspace();
  std::vector<double> gradient(theta.size());
  double lp = 0;
  if (const EvalStatus status = workspace->log_density_gradient(theta, {}, &lp, gradient); !status) {
    if (Stop::requested()) return interrupted(stop);
    std::fprintf(stderr, "fermiac bench: the density cannot be evaluated at the benchmark's point: %s\n",
                 status.message.c_str());
    return 1;
  }
  const double prep_ms = seconds_since(start) * 1e3;
  Timing timing;
  const auto points = bench_points(theta, args.spread);
  inference::run_parallel(std::max(1U, args.threads), 1,
                          [&](std::size_t) { timing = measure(*workspace, points, args.seconds); });
  if (Stop::requested()) return interrupted(stop);
  write_output(result_line(args.engine, timing, prep_ms, theta.size(), model->statistics({})));
  return 0;
}

}  // namespace fermiac::cli
