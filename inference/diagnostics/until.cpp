#include "inference/diagnostics/until.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "inference/model/column_names.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

constexpr unsigned kFirstRound = 100;  // draws of each chain

std::string limit_text(const RoundsEnd& end, const SampleOptions& o) {
  switch (end.limit) {
    case RoundsEnd::Limit::Time:
      return fmt::format("within --target-ess-max-time {:g}, after {} iterations of each chain", o.target_ess_max_time, end.iterations);
    case RoundsEnd::Limit::Memory:
      return fmt::format("in {} iterations of each chain, more of which do not fit in the memory that is meant for them", end.iterations);
    default:
      return fmt::format("in {} iterations of each chain (--max-samples)", end.iterations);
  }
}

/// What falls short, the worst of each kind.
std::string shortfall(const DrawsWorth& worth, double target) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (!worth.stuck.empty()) add(pretty_name(worth.stuck) + " does not move in any chain and differs between them");
  if (worth.ess < target) add(fmt::format("{} has {:.0f} effective draws", pretty_name(worth.ess_of), worth.ess));
  if (worth.rhat > kRhatEnough) add(fmt::format("{} has R-hat {:.3f}, which is to be at most {}", pretty_name(worth.rhat_of), worth.rhat, kRhatEnough));
  return out;
}

}  // namespace

DrawsWorth draws_worth(const ChainSet& chains, unsigned threads) {
  const std::vector<ColumnSummary> columns = summarise(chains, threads, {});
  DrawsWorth out;
  for (const ColumnSummary& c : columns) {
    if (c.name.ends_with("__")) continue;
    if (c.stuck && out.stuck.empty()) out.stuck = c.name;
    if (const double ess = std::min(c.ess_bulk, c.ess_tail); ess < out.ess) out.ess = ess, out.ess_of = c.name;
    if (c.rhat > out.rhat) out.rhat = c.rhat, out.rhat_of = c.name;
  }
  return out;
}

unsigned next_round_end(unsigned done, unsigned thin, unsigned most) {
  const std::uint64_t first = std::uint64_t{kFirstRound} * thin;
  const std::uint64_t end = done == 0 ? first : std::uint64_t{done} + std::max<std::uint64_t>(1, done / 2);
  return static_cast<unsigned>(std::min<std::uint64_t>(end, most));
}

std::string rounds_in_words(const RoundsEnd& end, const SampleOptions& o) {
  if (end.worth.enough(o.target_ess)) {
    const std::string all = end.worth.ess_of.empty() ? "No quantity varies" : fmt::format("At least {:.0f} effective draws of every quantity", end.worth.ess);
    return fmt::format("{} after {} iterations of each chain, R-hat at most {:.3f}.\n", all, end.iterations, end.worth.rhat);
  }
  return fmt::format("Warning: {:g} effective draws of every quantity (--target-ess) were not reached {}: {}. The draws so far are kept.\n", o.target_ess,
                     limit_text(end, o), shortfall(end.worth, o.target_ess));
}

}  // namespace fermiac::inference
