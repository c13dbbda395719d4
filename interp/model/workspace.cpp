#include "interp/model/workspace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "inference/mcmc/state.h"
#include "interp/exec/runs/code.h"
#include "interp/model/layout.h"
#include "interp/model/plain_run.h"
#include "support/base/check.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

using ReplayKind = ad::ReplayStatus::Kind;

bool any_nan(std::span<const double> numbers) {
  return std::ranges::any_of(numbers, [](double x) { return std::isnan(x); });
}

/// What is not a number may come from a branch that is not taken: zero times its infinite derivative.
bool is_doubtful(const RecordedTape& recorded, double lp, std::span<const double> gradient) {
  return recorded.speculative && (std::isnan(lp) || any_nan(gradient));
}

/// The program decides and words the message where a tape refuses a point or its density or gradient is not finite there, for operations
/// may have been joined, moved or replaced. A tape with guards fails one of them where an operation refuses the point.
bool may_differ(const ad::ReplayStatus& status) {
  return status.kind == ReplayKind::Ok ? !status.finite : status.kind != ReplayKind::FatalError;
}

}  // namespace

InterpWorkspace::InterpWorkspace(const EvaluationContext& context, TapeCache& tapes, DrawTapes& draw_tapes)
    : context_(context), tapes_(tapes), draws_(context, draw_tapes) {
  if (context.profiles) profile_ = std::make_unique<Profile>();
  machine_.profile = profile_.get();
}

InterpWorkspace::~InterpWorkspace() {
  if (profile_) context_.profiles->add(*profile_);
}

EvalStatus InterpWorkspace::log_density(std::span<const double> theta, DensityOptions options, double* lp) {
  return evaluate({theta, options, lp, {}, false});
}

EvalStatus InterpWorkspace::log_density_gradient(std::span<const double> theta, DensityOptions options, double* lp,
                                                 std::span<double> gradient) {
  return evaluate({theta, options, lp, gradient, true});
}

ad::ReplayStatus InterpWorkspace::run(Replay& replay, const Request& r) {
  return r.with_gradient ? replay.numbers.gradient(r.theta, r.lp, r.gradient) : replay.numbers.value(r.theta, r.lp);
}

EvalStatus InterpWorkspace::outcome(const Replay& replay, const ad::ReplayStatus& status) const {
  if (status.kind == ReplayKind::Ok) return {};
  if (context_.stopped()) return {EvalStatus::Kind::Interrupted, ad::Interrupted().what()};
  const auto kind = status.kind == ReplayKind::FatalError ? EvalStatus::Kind::Fatal : EvalStatus::Kind::Rejected;
  const std::string place = status.op < replay.recorded.tape->op_count()
                                ? context_.compiled().place(replay.recorded.tape->site(status.op))
                                : std::string();
  return {kind, status.message + place};
}

EvalStatus InterpWorkspace::evaluate(const Request& request) {
  const ad::StopScope stoppable(context_.stop);
  const ad::MemoryScope limited(context_.max_memory);
  try {
    return evaluate_anyhow(request);
  } catch (const ad::MemoryError& e) {  // while a tape was made of what was recorded, or replayed
    return {EvalStatus::Kind::Fatal, e.what()};
  } catch (const std::bad_alloc&) {
    return {EvalStatus::Kind::Fatal, "out of memory"};
  }
}

/// By a tape that fits, by a new one, or without.
EvalStatus InterpWorkspace::evaluate_anyhow(const Request& request) {
  const std::size_t index = TapeCache::index(request.options);
  PathHistory& paths = paths_[index];
  if (!context_.uses_tapes) return evaluate_directly(request);
  if (!restored_[index].empty())
    if (EvalStatus status = record_again(index); !status) return status;
  auto& mine = replays_[index];
  const bool tries = paths.tries_tapes();
  for (std::size_t k = 0; tries && (k < mine.size() || adopt_shared(index)); ++k) {
    Replay& replay = *mine[k];
    const ad::ReplayStatus status = run(replay, request);
    if (status.kind == ReplayKind::GuardFailed) continue;
    // Rewriting may have moved a failing op before the guard that would have avoided it.
    if (status.kind != ReplayKind::Ok && replay.recorded.guarded) break;
    if (is_doubtful(replay.recorded, *request.lp, request.gradient)) return record(request, false);
    if (may_differ(status)) return evaluate_once(request);
    if (k > 0)
      std::rotate(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(k),
                  mine.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    paths.took_tape(replay.recorded.path);
    return outcome(*mine[0], status);
  }
  return paths.records() ? record(request) : evaluate_directly(request);
}

/// Without a tape, and without consequences for later points.
EvalStatus InterpWorkspace::evaluate_once(const Request& request) {
  if (EvalStatus status = run_directly(request); !status) return status;
  try {
    take_direct(request);
  } catch (const ad::EvalError& e) {  // a derivative of the program's own
    return {EvalStatus::Kind::Rejected, e.what()};
  }
  return {};
}

EvalStatus InterpWorkspace::run_directly(const Request& request) {
  if (!evaluator_) evaluator_ = std::make_unique<Evaluator>(context_);
  auto& [recorder, run] = *evaluator_;
  run.set_profile(profile_.get());
  recorder.evaluate(request.theta, request.with_gradient, context_.code().reads_target);
  return run(recorder, request.options);
}

void InterpWorkspace::take_direct(const Request& request) {
  ad::Recorder& recorder = evaluator_->recorder;
  *request.lp = recorder.target_value();
  if (request.with_gradient && profile_) profile_->sweep(recorder);
  if (request.with_gradient) recorder.pull_back(request.gradient);
}

EvalStatus InterpWorkspace::evaluate_directly(const Request& request) {
  if (EvalStatus status = run_directly(request); !status) return status;
  auto& [recorder, run] = *evaluator_;
  PathHistory& paths = paths_[TapeCache::index(request.options)];
  paths.took(recorder.path(), run.is_for_once());
  if (paths.lasts() && context_.uses_tapes) return record(request);
  take_direct(request);
  return {};
}

/// Takes the tape that all points share, if another workspace has recorded it. False: there is none, or it is here already.
bool InterpWorkspace::adopt_shared(std::size_t index) {
  auto& mine = replays_[index];
  if (!mine.empty()) return false;
  std::optional<RecordedTape> shared = tapes_.general(index);
  if (shared) mine.push_back(std::make_unique<Replay>(*std::move(shared), Origin()));
  return shared.has_value();
}

EvalStatus InterpWorkspace::record(const Request& request, bool speculates) {
  const std::size_t index = TapeCache::index(request.options);
  TapeCache::Recording recording = tapes_.record(request.theta, request.options, speculates);
  if (recording.status.kind == EvalStatus::Kind::Rejected) return evaluate_once(request);
  if (!recording.status) return recording.status;
  auto replay = std::make_unique<Replay>(recording.recorded, Origin{{request.theta.begin(), request.theta.end()}, speculates});
  const ad::ReplayStatus replayed = run(*replay, request);
  const EvalStatus status = outcome(*replay, replayed);
  if (recording.recorded.speculative && !status) return record(request, false);
  if (is_doubtful(recording.recorded, *request.lp, request.gradient)) return record(request, false);
  if (may_differ(replayed)) return evaluate_once(request);
  if (recording.printed) {
    paths_[index].printed();
    return status;
  }
  paths_[index].took_tape(recording.recorded.path);
  tapes_.publish(index, recording.recorded);
  auto& mine = replays_[index];
  if (mine.size() >= TapeCache::kMaxTapes) mine.pop_back();
  mine.insert(mine.begin(), std::move(replay));
  return status;
}

// ---------------------------------------------------------------- history

/// Tapes that are not general, in the order in which they are tried.
std::vector<InterpWorkspace::Origin> InterpWorkspace::origins(std::size_t index) const {
  std::vector<Origin> out;
  for (const auto& replay : replays_[index])
    if (!replay->recorded.general) out.push_back(replay->origin);
  out.insert(out.end(), restored_[index].begin(), restored_[index].end());
  return out;
}

template <class State>
void InterpWorkspace::put_history(State& s, std::array<std::vector<Origin>, 4>& tapes) {
  for (std::size_t i = 0; i < tapes.size(); ++i) s(paths_[i], tapes[i]);
  s(draws_);
}

std::string InterpWorkspace::history() {
  std::array<std::vector<Origin>, 4> tapes;
  for (std::size_t i = 0; i < tapes.size(); ++i) tapes[i] = origins(i);
  inference::StateWriter writer;
  put_history(writer, tapes);
  return writer.bytes();
}

bool InterpWorkspace::restore_history(std::string_view bytes) {
  inference::StateReader reader(bytes);
  put_history(reader, restored_);
  const auto fits = [&](const Origin& o) { return o.theta.size() == context_.program->unconstrained_size(); };
  return reader.whole() && std::ranges::all_of(restored_, [&](const auto& tapes) { return std::ranges::all_of(tapes, fits); });
}

/// The tapes of the history that was restored, in their order.
EvalStatus InterpWorkspace::record_again(std::size_t index) {
  std::vector<std::unique_ptr<Replay>> again;
  for (const Origin& origin : restored_[index]) {
    const bool propto = (index & 1u) != 0, jacobian = (index & 2u) != 0;
    TapeCache::Recording recording = tapes_.record(origin.theta, {.propto = propto, .jacobian = jacobian}, origin.speculates);
    if (!recording.status) return recording.status;
    again.push_back(std::make_unique<Replay>(std::move(recording.recorded), origin));
  }
  restored_[index].clear();
  replays_[index] = std::move(again);
  return {};
}

// ---------------------------------------------------------------- second derivatives

std::string InterpWorkspace::why_inexact(std::span<const double> theta, DensityOptions options) {
  const ad::StopScope stoppable(context_.stop);
  const ad::MemoryScope limited(context_.max_memory);
  second_order_ = nullptr;
  double lp = 0;
  std::vector<double> gradient(theta.size());
  try {
    return move_second_order({theta, options, &lp, gradient, true});
  } catch (const std::bad_alloc&) {
    return "there is no memory for exact ones";
  } catch (const ad::MemoryError& e) {
    return e.what();
  }
}

/// By the tape that fits; one is recorded where there is none.
std::string InterpWorkspace::move_second_order(const Request& request) {
  if (!context_.uses_tapes) return "the density is not on a tape";
  auto& mine = replays_[TapeCache::index(request.options)];
  if (EvalStatus status = evaluate_anyhow(request); !status) return status.message;
  for (const bool recorded : {false, true}) {
    if (recorded && !record(request, false)) break;
    if (mine.empty()) continue;
    Replay& replay = *mine.front();
    if (const auto lacking = ad::SecondOrder::not_covered(*replay.recorded.tape))
      return ad::SecondOrder::lacks_text(*lacking);
    if (!replay.second_order) replay.second_order = std::make_shared<ad::SecondOrder>(replay.recorded.tape);
    if (replay.second_order->move_to(request.theta, request.lp, request.gradient).kind != ReplayKind::Ok) continue;
    if (!std::isfinite(*request.lp)) continue;  // the program decides there
    second_order_ = replay.second_order;
    return {};
  }
  return "the density is not on a tape";
}

void InterpWorkspace::hessian_times(std::span<const double> direction, std::span<double> product) {
  FERMIAC_CHECK(second_order_ != nullptr, "why_inexact() comes first, and is empty");
  second_order_->times(direction, product);
}

void InterpWorkspace::poison() {
  for (auto& tapes : replays_)
    for (auto& replay : tapes) replay->numbers.poison();
  draws_.poison();
}

EvalStatus InterpWorkspace::write_array(std::span<const double> theta, bool transformed, bool generated, Rng& rng,
                                        std::span<double> out) {
  const bool whole = transformed && generated;
  if (whole && draws_.replay_short(theta, rng, out)) return {};
  machine_.stop = context_.stopped() ? nullptr : context_.stop;  // a stopped run still writes its last point
  const ad::StopScope stoppable(machine_.stop);
  const ad::MemoryScope limited(context_.max_memory);
  const DrawTape* const begun = whole ? draws_.replay(theta, rng, out) : nullptr;
  if (begun && begun->is_whole()) return {};
  EvalStatus status = prepare_draw(theta, rng);
  if (status && begun) draws_.fill_in(slots_);
  if (status) status = run_draw(begun, transformed, generated, out);
  if (!status) std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  return status;
}

/// For nodes.
EvalStatus InterpWorkspace::prepare_draw(std::span<const double> theta, Rng& rng) {
  const std::size_t slots = context_.code().generate_quantities.slots;
  if (!slots_) {
    slots_ = machine_.stack.take(slots);
    std::ranges::copy(context_.program->globals(), slots_);
  }
  machine_.rng = &rng;
  machine_.print = &context_.print;
  machine_.theta = theta;
  machine_.next_free = 0;
  machine_.depth = 0;
  const Conditioned* const conditioned = context_.conditioned();
  machine_.held = conditioned ? &conditioned->held() : nullptr;
  if (conditioned && !conditioned->unknowns().empty()) {
    if (!unknowns_) unknowns_ = std::make_unique<UnknownDraws>(context_);
    if (EvalStatus status = unknowns_->draw(theta, rng); !status) return status;
    machine_.held = &unknowns_->held();
  }
  return {};
}

/// What the tape did not do, or everything.
EvalStatus InterpWorkspace::run_draw(const DrawTape* begun, bool transformed, bool generated, std::span<double> out) {
  const Code& code = context_.code();
  slots_[code.emit_transformed] = transformed ? 1 : 0;
  slots_[code.emit_generated] = generated ? 1 : 0;
  Frame f{.m = machine_, .slots = slots_};
  const EvalStatus status = guarded(context_.compiled(), machine_, [&] {
    if (!begun) return run_section(code.generate_quantities, f);
    for (const std::size_t i : begun->rest) code.generate_quantities.body[i]->run(f);
  });
  if (!status) return status;
  if (begun) {
    for (const DrawTape::Later& later : begun->later) write_value(slots_[later.slot], &out[later.to]);
    return {};
  }
  double* to = out.data();
  for (std::size_t i = 0; i < code.outputs.size(); ++i) {
    const OutputInfo& output = code.outputs[i];
    if (output.block == mir::BlockKind::TransformedParameters && !transformed) continue;
    if (output.block == mir::BlockKind::GeneratedQuantities && !generated) continue;
    to = context_.program->outputs()[i].write(slots_[output.slot], to);
  }
  if (generated && context_.extra) return context_.extra->write(machine_.theta, {to, out.data() + out.size()});
  FERMIAC_CHECK(to == out.data() + out.size(), "as many values as names");
  return {};
}

}  // namespace fermiac::interp
