#include "interp/model/tape_cache.h"

#include <algorithm>
#include <chrono>

#include "autodiff/parallel/shards.h"
#include "autodiff/tape/ir/path_hash.h"
#include "autodiff/tape/opencl/use.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/model/log_prob_run.h"
#include "support/base/evaluation_progress.h"

namespace fermiac::interp {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool has_selects(const ad::Trace& trace) {
  const auto selects = [](const ad::Op& op) { return ad::is_select(op.map); };
  return std::ranges::any_of(trace.ops, selects) || std::ranges::any_of(trace.tiled, selects);
}

/// No number decided what was recorded.
bool decides_nothing(const ad::Trace& trace) {
  return !has_selects(trace) && std::ranges::none_of(trace.ops, [](const ad::Op& op) { return op.kind == ad::OpKind::Guard; });
}

std::uint64_t path_of(const ad::Trace& trace) {
  ad::PathHash path;
  for (const ad::Op& op : trace.ops)
    if (op.kind == ad::OpKind::Guard) path.add(op.test.code() ^ (std::uint64_t{op.x[0].bits()} << 8));
  return path.value();
}

}  // namespace

std::shared_ptr<const ad::Tape> tape_of(const EvaluationContext& context, ad::Trace trace, std::shared_ptr<ad::device::DeviceUse> device) {
  const EvaluationSettings& settings = context.settings;
  const std::vector<std::string_view> skip(settings.skipped_passes.begin(), settings.skipped_passes.end());
  ad::rewrite(trace, {.enabled = settings.rewrite, .skip = skip, .short_tiles = settings.short_tiles});
  return std::make_shared<const ad::Tape>(std::move(trace), context.code().jit, std::move(device), &context.asked_of_device);
}

TapeCache::Recording TapeCache::record(std::span<const double> theta, DensityOptions options, bool speculates) const {
  const Clock::time_point start = Clock::now();
  EvaluationStage stage;
  stage.enter(EvaluationProgress::Stage::Recording);
  report_recorded(0);
  ad::Recorder recorder(theta);
  recorder.set_speculates(speculates);
  LogProbRun run(context_);
  if (EvalStatus status = run(recorder, options); !status) return {std::move(status), {}};
  TapeStatistics statistics{.ops_recorded = recorder.op_count(), .record_ms = milliseconds_since(start)};
  ad::Trace trace = std::move(recorder).finish();
  const Clock::time_point rewriting = Clock::now();
  report_recorded(statistics.ops_recorded);
  stage.enter(EvaluationProgress::Stage::Rewriting);
  RecordedTape recorded{nullptr, ad::has_shards(trace) || run.enumerates(), has_selects(trace) || (speculates && run.enumerates()),
                        !run.enumerates() && !run.is_for_once() && decides_nothing(trace), path_of(trace)};
  recorded.tape = tape_of(context_, std::move(trace), context_.settings.device);
  // Recorded anew where it fails: another path may be taken, or the place of a shard's failure is to be told.
  recorded.guarded |= recorded.tape->has_guards();
  statistics.rewrite_ms = milliseconds_since(rewriting);
  statistics.ops = recorded.tape->op_count();
  statistics.placed = recorded.tape->placed_count();
  tell_not_placed(*recorded.tape);
  statistics.bytes = recorded.tape->bytes();
  statistics.workspace_bytes = recorded.tape->workspace_bytes();
  {
    const std::lock_guard lock(mutex_);
    TapeStatistics& known = entries_[index(options)].statistics;
    if (known.tapes == 0) known = statistics;
    ++known.tapes;
  }
  return {{}, std::move(recorded), run.is_for_once()};
}

/// Of the first tape.
void TapeCache::tell_not_placed(const ad::Tape& tape) const {
  const std::vector<bool>& asked = context_.asked_of_device;
  if (asked.empty() || !context_.settings.device || told_.exchange(true)) return;
  const std::vector<bool> placed = tape.placed_sites();
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (asked[i] && (i >= placed.size() || !placed[i]))
      context_.settings.device->tell("@gpu: nothing of this statement runs on the device" + context_.compiled().place(static_cast<ad::Site>(i)));
}

void TapeCache::publish(std::size_t index, const RecordedTape& tape) {
  const std::lock_guard lock(mutex_);
  auto& general = entries_[index].general;
  if (tape.general && !general) general = tape;
}

std::optional<RecordedTape> TapeCache::general(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return entries_[index].general;
}

TapeStatistics TapeCache::statistics(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return entries_[index].statistics;
}

}  // namespace fermiac::interp
