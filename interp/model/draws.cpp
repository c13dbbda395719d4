#include "interp/model/draws.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <utility>

#include "interp/functions/record_random.h"
#include "support/base/memory.h"

namespace fermiac::interp {
namespace {

constexpr std::size_t kDrawsBefore = 3;      // a few draws do not pay for a tape
constexpr std::size_t kMostFailures = 8;     // points that cannot be recorded …
constexpr std::size_t kTooLong = 2;          // … of which a statement that is too long counts for so many
constexpr std::size_t kFewMisses = 4;        // that take another path
constexpr std::size_t kMissesAreRare = 8;    // at most one in so many

/// Those of a replay, by number.
struct Results {
  const double* numbers;
  const std::uint32_t* places;
  double operator[](std::size_t k) const { return numbers[places[k]]; }
};

/// The value with results in the place of references.
Value filled_in(const Value& v, const Results& results) {
  switch (v.kind()) {
    case Value::Kind::Ref: return Value(results[v.as_ref().index()]);
    case Value::Kind::Refs: {
      RealBuffer numbers(v.ref_data().size());
      std::ranges::transform(v.ref_data(), numbers.data(), [&](Ref r) { return results[r.index()]; });
      return Value::reals(v.shape(), std::move(numbers));
    }
    case Value::Kind::Tuple:
    case Value::Kind::Tuples: {
      if (!v.is_autodiff()) return v;
      std::vector<Value> parts;
      for (const Value& part : v.values()) parts.push_back(filled_in(part, results));
      return v.kind() == Value::Kind::Tuple ? Value::tuple(std::move(parts)) : Value::tuples(v.shape(), std::move(parts));
    }
    default: return v;
  }
}

std::int32_t as_int(double result) { return static_cast<std::int32_t>(result); }

/// The same of ints.
Value filled_in_ints(const Value& v, const Results& results) {
  if (v.kind() == Value::Kind::Ref) return Value(as_int(results[v.as_ref().index()]));
  if (v.kind() != Value::Kind::Refs) return v;
  std::vector<std::int32_t> numbers(v.ref_data().size());
  std::ranges::transform(v.ref_data(), numbers.begin(), [&](Ref r) { return as_int(results[r.index()]); });
  return Value::ints(v.shape(), std::move(numbers));
}

Value filled_in(const DrawTape::Start& start, const Results& results) {
  return start.ints ? filled_in_ints(start.value, results) : filled_in(start.value, results);
}

/// The last results are the generator's state.
Rng rng_behind(const DrawTape& draw, const double* numbers) {
  const Results state{numbers, draw.places.data() + (draw.places.size() - kRandomState)};
  std::array<double, kRandomState> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = state[i];
  return rng_of_state(words.data());
}

}  // namespace

// ---------------------------------------------------------------- tapes of a model

RecordedDraw DrawTapes::record(std::span<const double> theta, const Rng& rng, const LeftOut& left_out) {
  const auto start = std::chrono::steady_clock::now();
  RecordedDraw recorded = DrawRecording(context_, theta, rng, left_out)();
  if (!recorded.tape) return recorded;
  const DrawTape& draw = *recorded.tape;
  const std::lock_guard lock(mutex_);
  statistics_ = {.ops_recorded = draw.recorded_ops,
                 .ops = draw.tape->op_count(),
                 .taped = draw.taped,
                 .by_nodes = draw.rest.size(),
                 .milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()};
  return recorded;
}

DrawStatistics DrawTapes::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

// ---------------------------------------------------------------- draws of a workspace

Draws::Draws(const EvaluationContext& context, DrawTapes& tapes)
    : context_(context), tapes_(tapes), left_out_(context.code().draw_steps.size(), false) {}
Draws::~Draws() = default;

bool Draws::can_record() const {
  return context_.uses_tapes && !context_.conditioned() && !context_.extra && seen_ > kDrawsBefore && failures_ < kMostFailures;
}

void Draws::record(std::span<const double> theta, const Rng& rng) {
  misses_ = replays_ = 0;
  try {
    RecordedDraw recorded = tapes_.record(theta, rng, left_out_);
    if (recorded.tape) {
      replay_ = std::make_unique<Replay>(std::move(recorded.tape));
      origin_ = {true, {theta.begin(), theta.end()}, rng.state()};
    } else failures_ += recorded.too_long ? kTooLong : 1;
    if (recorded.too_long) left_out_[*recorded.too_long] = true;
  } catch (const ad::MemoryError&) {
    failures_ = kMostFailures;
  } catch (const std::bad_alloc&) {
    failures_ = kMostFailures;
  }
}

/// The tape of a history that was restored.
void Draws::record_again() {
  try {
    RecordedDraw recorded = tapes_.record(origin_.theta, Rng(origin_.rng), left_out_);
    if (recorded.tape) replay_ = std::make_unique<Replay>(std::move(recorded.tape));
    else origin_ = {};
  } catch (const ad::MemoryError&) {
    origin_ = {}, failures_ = kMostFailures;
  } catch (const std::bad_alloc&) {
    origin_ = {}, failures_ = kMostFailures;
  }
}

/// A tape that serves few points is worth nothing: the statements that choose among paths are left to nodes.
void Draws::missed() {
  if (++misses_ < kFewMisses || misses_ * kMissesAreRare < replays_) return;
  const std::vector<std::size_t>& choosing = replay_->draw->choosing;
  for (const std::size_t step : choosing) left_out_[step] = true;
  if (choosing.empty()) failures_ = kMostFailures;  // nothing to leave out: recorded anew, it would be the same
  replay_.reset();
  origin_ = {};
}

// Both in place of their calls: a draw may take no longer than those.
[[gnu::always_inline]] inline void Draws::begin(std::span<const double> theta, const Rng& rng) {
  const std::span<double> inputs = replay_->numbers.operands();
  copy_numbers(theta.data(), theta.size(), inputs.data());
  if (replay_->draw->draws) put_state(rng, &inputs[theta.size()]);
}

[[gnu::always_inline]] inline void Draws::end(Rng& rng, std::span<double> row) const {
  const DrawTape& draw = *replay_->draw;
  const double* const numbers = replay_->numbers.numbers();
  draw.constants.run(draw.row.data(), row.data());
  draw.columns.run(numbers, row.data());
  if (draw.draws) rng = rng_behind(draw, numbers);
}

const DrawTape* Draws::replay(std::span<const double> theta, Rng& rng, std::span<double> row) {
  ++seen_;
  if (!replay_ && origin_.is_set) record_again();
  else if (!replay_ && can_record()) record(theta, rng);
  if (!replay_) return nullptr;
  ++replays_;
  begin(theta, rng);
  const ad::ReplayStatus status = replay_->numbers.outputs_in_place();
  if (status.kind == ad::ReplayStatus::Kind::Ok) return end(rng, row), replay_->draw.get();
  if (status.kind == ad::ReplayStatus::Kind::GuardFailed) missed();
  return nullptr;  // nodes say what is wrong
}

bool Draws::replay_short(std::span<const double> theta, Rng& rng, std::span<double> row) {
  if (!replay_ || !replay_->is_short) return false;
  begin(theta, rng);
  if (!replay_->numbers.try_outputs_in_place()) return false;
  end(rng, row);
  return true;
}

void Draws::fill_in(Value* slots) const {
  const DrawTape& draw = *replay_->draw;
  for (const DrawTape::Start& start : draw.starts) slots[start.slot] = filled_in(start, {replay_->numbers.numbers(), draw.places.data()});
}

void Draws::poison() {
  if (replay_) replay_->numbers.poison();
}

}  // namespace fermiac::interp
