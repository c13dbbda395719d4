// Time per element of every map, value with all partials: the functions that are computed one number at a time stand out.
// `--benchmark_filter='^student_t'` chooses by name.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kElements = 512;

/// Centres of the operands inside the domain, by trial; integers first, as counts must be.
std::optional<std::vector<double>> inside(const MapOp& op) {
  constexpr std::array kTrials = {1.0, 2.0, 0.5, 4.0, 0.25, 0.75, 3.0, -1.0, -0.25};
  std::vector<std::size_t> at(op.arity, 0);
  for (;;) {
    std::vector<double> x;
    for (const std::size_t k : at) x.push_back(kTrials[k]);
    try {
      if (op.valid(x.data()) && std::isfinite(op.value(x.data(), Keep::everything()))) return x;
    } catch (const std::exception&) {  // outside
    }
    std::size_t j = 0;
    while (j < at.size() && ++at[j] == kTrials.size()) at[j++] = 0;
    if (j == at.size()) return std::nullopt;
  }
}

struct Columns {
  std::vector<std::vector<double>> x, a;
  std::vector<double> out;
  MapArgs args;

  explicit Columns(const std::vector<double>& centre) : out(kElements + 8, 0.5) {
    x.resize(centre.size());
    a.assign(centre.size(), std::vector<double>(kElements + 8));
    for (std::size_t j = 0; j < centre.size(); ++j) {
      for (std::uint32_t i = 0; i < kElements + 8; ++i)
        x[j].push_back(std::floor(centre[j]) == centre[j] ? centre[j] : centre[j] * (1 + 1e-3 * std::sin(i)));
      args.x[j] = x[j].data();
      args.a[j] = a[j].data();
    }
    args.n = kElements;
    args.vector_mask = static_cast<std::uint16_t>((1u << centre.size()) - 1);
    args.keep = Keep::everything();
  }
};

void fused(benchmark::State& state, const MapOp& op, const std::vector<double>& centre) {
  Columns c(centre);
  for (auto _ : state) {
    double sum = 0;
    if (!op.fused(c.args, &sum)) return state.SkipWithError("outside the domain");
    benchmark::DoNotOptimize(sum);
  }
  state.counters["ns_per_element"] =
      benchmark::Counter(kElements * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace fermiac::ad

int main(int argc, char** argv) {
  using namespace fermiac::ad;
  for (const MapOp& op : all_maps())
    if (const auto centre = inside(op))
      benchmark::RegisterBenchmark(std::string(op.name).c_str(), [&op, centre](benchmark::State& s) { fused(s, op, *centre); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
