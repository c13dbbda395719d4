// Time of one gradient on hand-made recordings that stand for kinds of models: a small hierarchy, a recurrence, a loop
// of independent observations, a long vectorised density.
#include <benchmark/benchmark.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {
namespace {

/// Parameter i.
constexpr Ref p(std::size_t i) { return Ref::slot(i); }

Ref map1(Recorder& r, const char* name, Ref x) {
  const Ref operands[] = {x};
  return r.map(find_map(name), operands);
}
Ref map2(Recorder& r, const char* name, Ref x, Ref y) {
  const Ref operands[] = {x, y};
  return r.map(find_map(name), operands);
}

/// mu, log tau, theta_raw[8]: the non-centred eight schools.
void eight_schools(Recorder& r) {
  static const double y[] = {28, 8, -3, 7, -1, 1, 18, 12};
  static const double sigma[] = {15, 10, 16, 11, 9, 11, 10, 18};
  static const double zero = 0, one = 1;
  r.target(p(1));
  const Ref tau = map1(r, "exp", p(1));
  const Operand scaled[] = {{p(2), true, true}, {tau, false, true}};
  const Operand shifted[] = {{r.map_vector(find_map("multiply"), scaled, 8), true, true}, {p(0), false, true}};
  const Ref theta = r.map_vector(find_map("add"), shifted, 8);
  const Operand prior[] = {{p(2), true, true}, {r.constant(zero), false, false}, {r.constant(one), false, false}};
  r.sink(find_map("normal_lpdf"), prior, 8, Keep::propto(0b001));
  const Operand likelihood[] = {{r.constant_block(y, 8), true, false}, {theta, true, true},
                                {r.constant_block(sigma, 8), true, false}};
  r.sink(find_map("normal_lpdf"), likelihood, 8, Keep::propto(0b010));
  const Operand mu[] = {{p(0), false, true}, {r.constant(0), false, false}, {r.constant(5), false, false}};
  r.sink(find_map("normal_lpdf"), mu, 1, Keep::propto(0b001));
}

/// GARCH(1,1) with 200 steps.
void garch(Recorder& r) {
  Ref variance = map1(r, "exp", p(1));
  for (int t = 0; t < 200; ++t) {
    r.set_site(Site{1});
    const Ref residual = map2(r, "subtract", r.constant(std::sin(t)), p(0));
    r.set_site(Site{2});
    const Ref shock = map2(r, "multiply", map1(r, "square", residual), map1(r, "inv_logit", p(2)));
    r.set_site(Site{3});
    const Ref memory = map2(r, "multiply", variance, map1(r, "inv_logit", p(3)));
    variance = map2(r, "add", map2(r, "add", map1(r, "exp", p(1)), shock), memory);
    r.set_site(Site{4});
    const Ref sd = map1(r, "sqrt", variance);
    const Operand density[] = {{r.constant(std::sin(t + 1)), false, false}, {p(0), false, true}, {sd, false, true}};
    r.sink(find_map("normal_lpdf"), density, 1, Keep::propto(0b110));
  }
}

/// A loop of 1000 two-component mixtures.
void mixture(Recorder& r) {
  const Ref theta = map1(r, "inv_logit", p(0));
  const Ref s1 = map1(r, "exp", p(3));
  const Ref s2 = map1(r, "exp", p(4));
  for (int n = 0; n < 1000; ++n) {
    const Ref y = r.constant(std::sin(n) * 2);
    r.set_site(Site{1});
    const Ref a[] = {y, p(1), s1};
    const Ref b[] = {y, p(2), s2};
    const Ref lp1 = r.map(find_map("normal_lpdf"), a);
    r.set_site(Site{2});
    const Ref lp2 = r.map(find_map("normal_lpdf"), b);
    r.set_site(Site{3});
    const Operand mix[] = {{theta, false, true}, {lp1, false, true}, {lp2, false, true}};
    r.sink(find_map("log_mix"), mix, 1);
  }
}

void run(benchmark::State& state, const std::function<void(Recorder&)>& body, std::size_t parameters) {
  std::vector<double> theta(parameters), grad(parameters);
  for (std::size_t i = 0; i < parameters; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  Recorder recorder(theta);
  body(recorder);
  Trace trace = std::move(recorder).finish();
  if (state.range(0) != 0) rewrite(trace);
  Workspace workspace(std::make_shared<const Tape>(std::move(trace)));
  double lp = 0;
  for (auto _ : state) {
    workspace.gradient(theta, &lp, grad);
    benchmark::DoNotOptimize(grad.data());
  }
  state.counters["ops"] = static_cast<double>(workspace.tape().op_count());
}

void BM_eight_schools(benchmark::State& s) { run(s, eight_schools, 10); }
void BM_garch(benchmark::State& s) { run(s, garch, 4); }
void BM_mixture(benchmark::State& s) { run(s, mixture, 5); }
BENCHMARK(BM_eight_schools)->ArgName("rewritten")->Arg(0)->Arg(1);
BENCHMARK(BM_garch)->ArgName("rewritten")->Arg(0)->Arg(1);
BENCHMARK(BM_mixture)->ArgName("rewritten")->Arg(0)->Arg(1);

/// All weights of 100 terms change between two replays.
void BM_set_weights(benchmark::State& state) {
  constexpr std::size_t kTerms = 100;
  std::vector<double> theta(kTerms, 0.3), weights(kTerms, 0.5);
  Recorder r(theta);
  r.declare_weights(weights);
  for (std::uint32_t i = 0; i < kTerms; ++i) {
    r.set_site(Site{i + 1});
    const WeightScope scope(r, Weight{i + 1});
    const Operand x[] = {{p(i), false, true}, {r.constant(0.1 * i), false, false}, {r.constant(1), false, false}};
    r.sink(find_map("normal_lpdf"), x, 1);
  }
  Trace trace = std::move(r).finish();
  rewrite(trace);
  Workspace workspace(std::make_shared<const Tape>(std::move(trace)));
  for (auto _ : state) {
    for (double& w : weights) w = w < 1 ? w + 0.01 : 0.5;
    workspace.set_weights(weights);
    benchmark::DoNotOptimize(weights.data());
  }
}
BENCHMARK(BM_set_weights);

}  // namespace
}  // namespace fermiac::ad

BENCHMARK_MAIN();
