// What a leapfrog step of NUTS takes beside its gradient: `x ~ normal(0, 1)` with 10 to 10 000 parameters (or as many as arguments
// say), the whole transition and the gradient in turn, the fastest of several windows each, in processor time of this thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "inference/mcmc/nuts.h"
#include "interp/model/interp_model.h"
#include "support/base/rng.h"

namespace {

using namespace fermiac;             // NOLINT: a program of its own
using namespace fermiac::inference;  // NOLINT

constexpr int kRounds = 15, kWarmup = 30, kBatch = 400;
constexpr double kWindow = 0.03;  // seconds

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Nanoseconds for one `piece`, which says how many it did. The clock is looked at now and then: that takes as long as eight small gradients.
template <class Piece>
double window(Piece piece) {
  const double start = processor_seconds();
  double count = 0, taken = 0;
  do {
    for (int i = 0; i < kBatch; ++i) count += piece();
    taken = processor_seconds() - start;
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

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::stoi(argv[i]));
  if (sizes.empty()) sizes = {10, 100, 1000, 10000};
  fmt::print("| parameters | metric | leapfrogs per transition | gradient, ns | beside it, ns | of that momenta | without momenta | ratio | without momenta "
             "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (const int n : sizes)
    for (const MetricKind kind : {MetricKind::Diag, MetricKind::LowRank}) measure(n, kind);
}
