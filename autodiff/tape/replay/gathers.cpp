#include "autodiff/tape/replay/gathers.h"

#include <algorithm>

#include "autodiff/tape/ir/storage.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kShort = 32;    // fewer numbers are not worth it
constexpr std::uint32_t kLongRun = 8;   // on average

struct Run {
  std::uint32_t slot = 0, length = 0;
};

std::vector<Run> runs_of(const std::uint32_t* slots, std::uint32_t n) {
  std::vector<Run> runs;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (runs.empty() || runs.back().slot != slots[i]) runs.push_back({slots[i], 0});
    ++runs.back().length;
  }
  return runs;
}

/// Distinct slots in the order of their first use; one more than kMostSources if there are more.
std::vector<std::uint32_t> sources_of(const std::uint32_t* slots, std::uint32_t n) {
  std::vector<std::uint32_t> sources;
  for (std::uint32_t i = 0; i < n && sources.size() <= kMostSources; ++i)
    if (std::ranges::find(sources, slots[i]) == sources.end()) sources.push_back(slots[i]);
  return sources;
}

void plan_runs(TapeOp& op, std::vector<std::uint32_t>& index, const std::vector<Run>& runs) {
  op.scatter = ScatterPlan::by_runs();
  op.x[2] = static_cast<std::uint32_t>(index.size());
  op.x[3] = static_cast<std::uint32_t>(runs.size());
  for (const Run& run : runs) index.insert(index.end(), {run.slot, run.length});
}

void plan_sources(TapeOp& op, std::vector<std::uint32_t>& index, std::vector<double>& codes,
                  const std::vector<std::uint32_t>& sources) {
  op.scatter = ScatterPlan::from_few(sources.size());
  op.x[2] = static_cast<std::uint32_t>(index.size());
  op.x[3] = static_cast<std::uint32_t>(codes.size());
  for (std::uint32_t i = 0; i < op.n; ++i)
    codes.push_back(static_cast<double>(std::ranges::find(sources, index[op.table() + i]) - sources.begin()));
  codes.resize(padded(codes.size()), -1);
  index.insert(index.end(), sources.begin(), sources.end());
}

}  // namespace

void plan_gather(TapeOp& op, std::vector<std::uint32_t>& index, std::vector<double>& codes) {
  if (op.n < kShort) return;
  const std::vector<Run> runs = runs_of(&index[op.table()], op.n);
  if (runs.size() <= op.n / kLongRun) return plan_runs(op, index, runs);
  const std::vector<std::uint32_t> sources = sources_of(&index[op.table()], op.n);
  if (sources.size() <= kMostSources) plan_sources(op, index, codes, sources);
}

}  // namespace fermiac::ad
