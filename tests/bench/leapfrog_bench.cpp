// What a leapfrog step of NUTS takes beside its gradient: `x ~ normal(0, 1)` with 10 to 10 000 parameters, the whole transition and the
// gradient in turn, the fastest of several windows each.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "inference/nuts.h"
#include "interp/model/interp_model.h"
#include "support/rng.h"

namespace {

using namespace fermiac;             // NOLINT: a program of its own
using namespace fermiac::inference;  // NOLINT

constexpr int kRounds = 9, kWarmup = 30;
constexpr double kWindow = 0.1;  // seconds

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Nanoseconds for one `piece`, which says how many it did.
template <class Piece>
double window(Piece piece) {
  const auto start = std::chrono::steady_clock::now();
  double count = 0, taken = 0;
  do {
    count += piece();
    taken = seconds_since(start);
  } while (taken < kWindow);
  return taken / count * 1e9;
}

void measure(int n, MetricKind kind) {
  const std::string text = fmt::format("parameters {{ vector[{}] x; }} model {{ x ~ normal(0, 1); }}", n);
  const interp::InterpModel model(interp::compile_model({.text = text, .path = "bench", .name = "bench_model"}), interp::DataSource::parse("{}", "data"), 1);
  Target target(model);
  Nuts nuts(target, kind, Rng(1), 10);
  nuts.start(Vec(target.size(), 0.5));
  nuts.set_stepsize(1.1 / std::pow(n, 0.25));  // what dual averaging settles at
  for (int i = 0; i < kWarmup; ++i) nuts.transition();

  Vec q(nuts.position().begin(), nuts.position().end()), gradient(q.size()), p(q.size());
  Rng rng(2);
  double leapfrog = 1e300, evaluation = 1e300, momentum = 1e300, leapfrogs = 0, transitions = 0;
  for (int round = 0; round < kRounds; ++round) {
    leapfrog = std::min(leapfrog, window([&] {
      const int steps = nuts.transition().n_leapfrog;
      leapfrogs += steps;
      ++transitions;
      return steps;
    }));
    evaluation = std::min(evaluation, window([&] { return target.gradient(q, gradient), 1; }));
    momentum = std::min(momentum, window([&] { return nuts.metric().sample_momentum(rng, p), 1; }));
  }
  const double steps = leapfrogs / transitions, beside = leapfrog - evaluation, tree = beside - momentum / steps;
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} |\n", n, metric_name(kind), steps, evaluation, beside,
             momentum / steps, tree, beside / evaluation, tree / evaluation);
}

}  // namespace

int main() {
  fmt::print("| parameters | metric | leapfrogs per transition | gradient, ns | beside it, ns | of that momenta | without momenta | ratio | without momenta "
             "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (const int n : {10, 100, 1000, 10000})
    for (const MetricKind kind : {MetricKind::Diag, MetricKind::LowRank}) measure(n, kind);
}
