// Recording independent calls as one operation whose parts run on threads and in other processes.
#include <algorithm>
#include <iterator>

#include "autodiff/tape/record/recorder.h"
#include "interp/exec/runs/solver_operands.h"
#include "interp/parallel/remote_parts.h"
#include "interp/parallel/shard_source.h"
#include "support/platform/output.h"

namespace fermiac::interp {
namespace {

constexpr std::size_t kWorthThreads = 1 << 15;  // numbers computed by all parts: some tens of microseconds

/// What the parts printed and where the first failed, in their order.
void report(const std::vector<ad::ShardRecording>& recordings, Frame& f) {
  for (const ad::ShardRecording& r : recordings) {
    if (!r.printed.empty()) {
      f.m.printed = true;
      if (f.m.print && *f.m.print)
        (*f.m.print)(r.printed);
      else
        write_output(r.printed);
    }
    if (!r.error) continue;
    f.m.site = r.site;
    std::rethrow_exception(r.error);
  }
}

using Calls = std::span<const std::vector<Value>>;
using Recordings = std::vector<ad::ShardRecording>;

bool some_have_no_results(const Recordings& recordings) {
  return std::ranges::any_of(recordings, [](const auto& r) { return r.path.outputs == 0; });
}

ad::ShardSources sources_of(const std::shared_ptr<const ShardedFunction>& function, Calls calls) {
  ad::ShardSources sources;
  for (const std::vector<Value>& arguments : calls) sources.push_back(call_source(function, arguments));
  return sources;
}

/// No group where a part has no results.
ad::Shards::Groups recorded_here(const std::shared_ptr<const ShardedFunction>& function, Calls calls,
                                 std::span<const double> x, Frame& f) {
  const ad::ShardSources sources = sources_of(function, calls);
  Recordings recordings = ad::record_all(sources, x);
  report(recordings, f);
  if (some_have_no_results(recordings)) return {};
  return {std::make_shared<const ad::ShardParts>(sources, std::move(recordings))};
}

/// Jobs of map_rect: the first run of them here, one in each of the other processes, if there are any.
ad::Shards::Groups recorded_groups(const std::shared_ptr<const ShardedFunction>& function, Calls calls,
                                   std::span<const double> x, Frame& f) {
  if (!f.m.remote) return recorded_here(function, calls, x, f);
  const std::size_t places = static_cast<std::size_t>(f.m.remote->cluster.workers()) + 1;
  const auto share = [&](std::size_t k) {
    const std::size_t begin = calls.size() * k / places;
    return calls.subspan(begin, calls.size() * (k + 1) / places - begin);
  };
  std::vector<std::shared_ptr<RemoteParts>> elsewhere;
  for (std::size_t k = 1; k < places; ++k)
    if (!share(k).empty())
      elsewhere.push_back(std::make_shared<RemoteParts>(*f.m.remote, static_cast<int>(k), *function, share(k), x));
  const ad::ShardSources sources = sources_of(function, share(0));
  Recordings here = ad::record_all(sources, x), all = here;
  for (const auto& group : elsewhere) std::ranges::move(group->recordings(), std::back_inserter(all));
  report(all, f);
  if (some_have_no_results(all)) return {};
  ad::Shards::Groups groups{std::make_shared<const ad::ShardParts>(sources, std::move(here))};
  groups.insert(groups.end(), elsewhere.begin(), elsewhere.end());
  return groups;
}

}  // namespace

std::optional<Value> record_in_shards(std::string_view name, ad::Shards::Join join,
                                      const std::shared_ptr<const ShardedFunction>& function,
                                      std::vector<std::vector<Value>> calls, const std::vector<Ref>& varying,
                                      Frame& f) {
  if (varying.empty()) return std::nullopt;
  std::vector<double> x;
  for (const Ref r : varying) x.push_back(f.m.recorder->value(r));
  const auto first = call_source(function, calls[0]);
  // The first part tells how much there is to do. One that prints or fails is left to the ordinary way, which tells.
  const ad::ShardRecording sample = first->record(x);
  if (sample.error || !sample.printed.empty() || sample.path.outputs == 0) return std::nullopt;
  if (ad::work_of(*sample.path.tape) * calls.size() < kWorthThreads) return std::nullopt;
  auto groups =
      join == ad::Shards::Join::List ? recorded_groups(function, calls, x, f) : recorded_here(function, calls, x, f);
  if (groups.empty()) return std::nullopt;
  const Value operand = Value::refs(Shape::vector(static_cast<std::uint32_t>(varying.size())), varying);
  return solve(name, std::make_shared<const ad::Shards>(std::move(groups), join), {operand}, f);
}

}  // namespace fermiac::interp
