#include "interp/model/draw_tape.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "interp/exec/runs/solver_callback.h"
#include "interp/functions/record_random.h"
#include "interp/model/layout.h"
#include "interp/model/plain_run.h"
#include "interp/model/tape_cache.h"

namespace fermiac::interp {
namespace {

constexpr std::size_t kMostOps = std::size_t{1} << 19;      // some 25 MB while they are recorded
constexpr std::size_t kMostNumbers = std::size_t{1} << 23;  // results, 64 MB
constexpr std::uint32_t kLongVector = 4096;

bool is_long(const ad::TapeOp& op) { return is_call(op.kind) || op.kind == ad::OpKind::Tiles || op.n >= kLongVector; }

}  // namespace

// ---------------------------------------------------------------- which statements

void DrawRecording::Uses::add(const DrawStep& step) {
  for (const std::size_t slot : step.reads) read_[slot] = true;
  for (const std::size_t slot : step.writes) written_[slot] = true;
  for (const std::size_t slot : step.drawn) drawn_[slot] = true;
  draws_ |= step.draws;
}

bool DrawRecording::Uses::can_overtake(const DrawStep& step) const {
  return !(step.draws && draws_) && std::ranges::none_of(step.reads, [&](std::size_t slot) { return writes(slot); }) &&
         std::ranges::none_of(step.writes, [&](std::size_t slot) { return touches(slot); });
}

std::vector<double> tape_inputs(std::span<const double> theta, const Rng& rng) {
  std::vector<double> inputs(theta.size() + kRandomState);
  std::ranges::copy(theta, inputs.begin());
  put_state(rng, &inputs[theta.size()]);
  return inputs;
}

DrawRecording::DrawRecording(const EvaluationContext& context, std::span<const double> theta, const Rng& rng, const LeftOut& left_out)
    : context_(context),
      code_(context.code()),
      by_tape_(code_.generate_quantities.slots),
      by_nodes_(by_tape_),
      recorder_(tape_inputs(theta, rng)),
      random_(Ref::slot(theta.size())),
      slots_(machine_.stack.take(code_.generate_quantities.slots)),
      out_(std::make_shared<DrawTape>()) {
  choose_statements(left_out);
  std::ranges::copy(context.program->globals(), slots_);
  slots_[code_.emit_transformed] = 1;
  slots_[code_.emit_generated] = 1;
  recorder_.set_most_ops(kMostOps);
  machine_.recorder = &recorder_;
  machine_.random = &random_;
  machine_.print = &context.print;
  machine_.stop = context.stop;
}

void DrawRecording::choose_statements(const LeftOut& left_out) {
  for (std::size_t i = 0; i < code_.draw_steps.size(); ++i) {
    const DrawStep& step = code_.draw_steps[i];
    if (step.returns) continue;  // everything is asked for
    const bool taped = !left_out[i] && goes_on_tape(step);
    (taped ? by_tape_ : by_nodes_).add(step);
    (taped ? taped_ : out_->rest).push_back(i);
  }
}

bool DrawRecording::goes_on_tape(const DrawStep& step) const {
  const auto needs_int = [&](std::size_t slot) { return by_tape_.has_drawn(slot) && !std::ranges::binary_search(step.compared, slot); };
  return !step.stays && by_nodes_.can_overtake(step) && std::ranges::none_of(step.reads, needs_int);
}

// ---------------------------------------------------------------- recording

RecordedDraw DrawRecording::operator()() {
  try {
    if (!guarded(context_.compiled(), machine_, [&] { run(); })) return {};
  } catch (const ad::RecordingTooLong&) {
    return {nullptr, taped_[at_]};
  }
  take_outputs();
  take_starts();
  out_->draws = random_ != Ref::slot(context_.program->unconstrained_size());
  for (std::uint32_t i = 0; out_->draws && i < kRandomState; ++i) result(random_ + i);
  if (results_.empty()) result(recorder_.constant(0));  // a tape has some
  recorder_.outputs(results_);
  ad::Trace trace = std::move(recorder_).finish();
  out_->taped = taped_.size();
  out_->recorded_ops = trace.ops.size();
  find_choices(trace);
  out_->tape = tape_of(context_, std::move(trace));
  place_columns();
  out_->has_long_ops = std::ranges::any_of(out_->tape->ops(), is_long);
  return {std::move(out_), {}};
}

void DrawRecording::run() {
  Frame f{.m = machine_, .slots = slots_, .recording = true};
  for (at_ = 0; at_ < taped_.size(); ++at_) {
    code_.generate_quantities.body[taped_[at_]]->run(f);
    if (recorder_.number_count() > kMostNumbers) throw ad::RecordingTooLong();
    ends_.push_back(recorder_.op_count());
  }
}

void DrawRecording::find_choices(const ad::Trace& trace) {
  const auto chooses = [](const ad::Op& op) { return op.kind == ad::OpKind::Guard || ad::is_select(op.map); };
  const ad::Op* first = trace.ops.data();
  for (std::size_t k = 0; k < taped_.size(); ++k) {
    const ad::Op* const end = trace.ops.data() + ends_[k];
    if (std::any_of(first, end, chooses)) out_->choosing.push_back(taped_[k]);
    first = end;
  }
}

// ---------------------------------------------------------------- results

/// The name, among the results, of the one that r becomes.
Ref DrawRecording::result(Ref r) {
  results_.push_back(r.is_const_vector() ? recorder_.constant(recorder_.value(r)) : r);
  return Ref::slot(results_.size() - 1);
}

void DrawRecording::take_outputs() {
  const auto add_count = [](std::size_t sum, const Output& output) { return sum + output.count; };
  const auto& outputs = context_.program->outputs();
  out_->row.assign(std::accumulate(outputs.begin(), outputs.end(), std::size_t{0}, add_count),
                   std::numeric_limits<double>::quiet_NaN());
  std::size_t to = 0;
  for (std::size_t i = 0; i < outputs.size(); to += outputs[i++].count) {
    const std::size_t slot = code_.outputs[i].slot;
    if (by_nodes_.writes(slot)) out_->later.push_back({slot, to});
    else if (outputs[i].count > 0) take_output(slots_[slot], to);
  }
}

/// Its numbers become results in the order of its columns.
void DrawRecording::take_output(const Value& value, std::size_t to) {
  if (!value.is_autodiff()) {
    const double* const end = write_value(value, &out_->row[to]);
    for (; &out_->row[to] != end; ++to) out_->constants.add(to, to);
    return;
  }
  std::vector<Ref> refs;
  const Value numbered = with_places(value, refs);
  std::vector<double> places(refs.size());
  write_value(numbered, places.data());
  for (const double place : places) {
    result(refs[static_cast<std::size_t>(place)]);
    columns_.push_back(to++);
  }
}

void DrawRecording::place_columns() {
  out_->places = out_->tape->output_places();
  for (std::size_t k = 0; k < columns_.size(); ++k) out_->columns.add(out_->places[k], columns_[k]);
  out_->columns.settle();
  out_->constants.settle();
}

/// Every number replaced by its place in `refs`, where it goes.
Value DrawRecording::with_places(const Value& v, std::vector<Ref>& refs) {
  if (v.kind() == Value::Kind::Tuple || v.kind() == Value::Kind::Tuples) {
    std::vector<Value> parts;
    for (const Value& part : v.values()) parts.push_back(with_places(part, refs));
    return v.kind() == Value::Kind::Tuple ? Value::tuple(std::move(parts)) : Value::tuples(v.shape(), std::move(parts));
  }
  const std::vector<Ref> more = result_references(recorder_, v);
  RealBuffer places(more.size());
  std::iota(places.data(), places.data() + more.size(), static_cast<double>(refs.size()));
  refs.insert(refs.end(), more.begin(), more.end());
  return v.shape().is_scalar() && !v.shape().complex ? Value(places[0]) : Value::reals(v.shape(), std::move(places));
}

void DrawRecording::take_starts() {
  for (std::size_t slot = code_.globals; slot < code_.generate_quantities.slots; ++slot)
    if (by_tape_.writes(slot) && by_nodes_.touches(slot))
      out_->starts.push_back({slot, with_references(slots_[slot], [&](Ref r) { return result(r); }), by_tape_.has_drawn(slot)});
}

}  // namespace fermiac::interp
