// `fermiac bench`: time of one gradient of the sampling density, or of writing one draw, after everything that happens once.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "inference/model/options.h"
#include "inference/output/csv.h"
#include "support/base/elapsed.h"
#include "support/base/json.h"
#include "support/platform/descriptor.h"
#include "support/platform/output.h"
#include "support/platform/process_memory.h"
#include "support/platform/threads.h"

namespace fermiac::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kUsualDraws = 32;  // after so many, what is recorded is recorded

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
  double us = 0;  // of one round
  std::size_t rounds = 0;
};

/// The fastest of several windows: other programs can only slow a window down.
/// Stop::requested() cuts it short.
template <class Round>
Timing measure(double seconds, Round round) {
  constexpr int kWindows = 8;
  std::size_t batch = 1;
  const auto run_batch = [&] {
    for (std::size_t i = 0; i < batch && !Stop::requested(); ++i) round();
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
    best.us = std::min(best.us, seconds_since(start) * 1e6 / static_cast<double>(batch));
    best.rounds += batch;
  }
  return best;
}

/// Calls visit(point) with each point in turn, again and again.
template <class Visit>
auto in_turn(const std::vector<std::vector<double>>& points, Visit visit) {
  return [&points, visit, at = std::size_t{0}]() mutable {
    visit(points[at]);
    if (++at == points.size()) at = 0;
  };
}

int interrupted(const Stop& stop) {
  return refuse(stop.reason());
}

using Members = std::vector<std::pair<std::string_view, std::string>>;

std::string json_line(const Members& members) {
  std::string line;
  JsonGroup object(line, JsonGroup::Kind::Object);
  for (const auto& [key, value] : members) object.member(key) += value;
  object.end();
  return line + "\n";
}

std::string count_text(std::size_t n) { return fmt::format("{}", n); }

Members gradient_members(const std::string& engine, const Timing& timing, double prep_ms, std::size_t params,
                         const interp::TapeStatistics& stats) {
  return {
      {"us_per_grad", fmt::format("{:.6g}", timing.us)},
      {"evals", count_text(timing.rounds)},
      {"prep_ms", fmt::format("{:.4g}", prep_ms)},
      {"params", count_text(params)},
      {"ops_recorded", count_text(stats.ops_recorded)},
      {"ops", count_text(stats.ops)},
      {"isa", json_quote(ad::isa_name(ad::active_isa()))},
      {"engine", json_quote(engine)},
      {"ops_on_device", count_text(stats.placed)},
      {"tape_kib", count_text(stats.bytes / 1024)},
      {"workspace_kib", count_text(stats.workspace_bytes / 1024)},
      {"peak_rss_kib", fmt::format("{}", ad::peak_memory_kib())},
  };
}

int not_evaluated(const EvalStatus& status, const char* where) {
  std::fprintf(stderr, "fermiac: the density cannot be evaluated at %s: %s\n", where, status.message.c_str());
  return 1;
}

int bench_gradient(const BenchArgs& args, const interp::InterpModel& model, const std::vector<double>& theta,
                   Clock::time_point start, const Stop& stop) {
  const auto workspace = model.workspace();
  std::vector<double> gradient(theta.size());
  double lp = 0;
  if (const EvalStatus status = workspace->log_density_gradient(theta, {}, &lp, gradient); !status) {
    if (Stop::requested()) return interrupted(stop);
    return not_evaluated(status, "the benchmark's point");
  }
  const double prep_ms = seconds_since(start) * 1e3;
  Timing timing;
  EvalStatus status;
  const auto points = bench_points(theta, args.spread);
  run_parallel(std::max(1U, args.threads), 1, [&](std::size_t) {
    timing = measure(args.seconds, in_turn(points, [&](const auto& point) {
                       if (EvalStatus s = workspace->log_density_gradient(point, {}, &lp, gradient); !s) status = std::move(s);
                     }));
  });
  if (Stop::requested()) return interrupted(stop);
  if (!status) return not_evaluated(status, "a point that --spread leads to");
  write_output(json_line(gradient_members(args.engine, timing, prep_ms, theta.size(), model.statistics({}))));
  return 0;
}

/// The rows go where they cost nothing but their text.
int bench_draws(const BenchArgs& args, const interp::InterpModel& model, const std::vector<double>& theta, const Stop& stop) {
  const auto workspace = model.workspace();
  std::vector<double> row(model.names(true, true).size());
  Rng rng(1);
  EvalStatus status;
  const auto draw = [&](const auto& point) {
    if (EvalStatus s = workspace->write_array(point, true, true, rng, row); !s) status = std::move(s);
  };
  inference::CsvWriter csv(inference::CommonOptions().sig_figs);
  if (const Status opened = csv.open(kNullDevice, true); !opened) {
    return refuse(opened.message);
  }
  Timing values, text;
  const auto points = bench_points(theta, args.spread);
  for (std::size_t i = 0; i < kUsualDraws && status && !Stop::requested(); ++i) draw(points[i % points.size()]);
  run_parallel(std::max(1U, args.threads), 1, [&](std::size_t) {
    if (status) values = measure(args.seconds / 2, in_turn(points, draw));
    if (status) text = measure(args.seconds / 2, [&] { csv.row({}, row); });
  });
  if (Stop::requested()) return interrupted(stop);
  if (!status) {
    std::fprintf(stderr, "fermiac: a draw fails at the benchmark's point: %s\n", status.message.c_str());
    return 1;
  }
  const interp::DrawStatistics stats = model.draw_statistics();
  write_output(json_line({
      {"us_per_draw", fmt::format("{:.6g}", values.us + text.us)},
      {"us_values", fmt::format("{:.6g}", values.us)},
      {"us_text", fmt::format("{:.6g}", text.us)},
      {"draws", count_text(values.rounds)},
      {"columns", count_text(row.size())},
      {"statements_by_tape", count_text(stats.taped)},
      {"statements_by_nodes", count_text(stats.by_nodes)},
      {"ops_recorded", count_text(stats.ops_recorded)},
      {"ops", count_text(stats.ops)},
      {"record_ms", fmt::format("{:.4g}", stats.milliseconds)},
      {"isa", json_quote(ad::isa_name(ad::active_isa()))},
      {"engine", json_quote(args.engine)},
      {"peak_rss_kib", fmt::format("{}", ad::peak_memory_kib())},
  }));
  return 0;
}

}  // namespace

int run_bench(const BenchArgs& args, Stop& stop) {
  const auto start = Clock::now();
  ModelArgs given = args.model;
  given.tapes = args.engine == "replay";
  const auto model = load_interp_model(given);
  const std::vector<double> theta = bench_point(model->unconstrained_size());
  if (args.dump_tape) {
    write_output(model->dump_tape(theta, {}));
    return 0;
  }
  if (args.dump_code) {
    write_output(interp::jit_text(*model->compiled().code, args.assembler));
    return 0;
  }
  return args.draws ? bench_draws(args, *model, theta, stop) : bench_gradient(args, *model, theta, start, stop);
}

}  // namespace fermiac::cli
