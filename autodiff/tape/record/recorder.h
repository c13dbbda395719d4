// Records operations while evaluating them. The interpreter calls it for every operation with an operand that carries
// derivatives; whatever depends only on data never gets here. The recorder makes ops of operands; its sink at hand
// (sink.h) keeps them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/ir/trace_builder.h"
#include "autodiff/tape/record/column_sink.h"
#include "autodiff/tape/record/direct_sink.h"
#include "autodiff/tape/record/recording.h"
#include "autodiff/tape/record/trace_sink.h"

namespace fermiac::ad {

/// Operand of a map: one scalar, or n contiguous numbers starting at `ref`.
struct Operand {
  Ref ref;
  bool vector = false;
  bool autodiff = false;
};

class Recorder {
 public:
  /// Starts a recording at the parameter point `theta`. Parameter i is Ref i.
  explicit Recorder(std::span<const double> theta);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Starts over at `theta`, to evaluate there instead of recording (direct_sink.h): branches are not speculated on, nothing
  /// is shared or kept for a tape, and pull_back() ends it. Room that was needed before is used again. outputs() is not
  /// for such an evaluation, target_ref() only if it `keeps_terms` of target.
  void evaluate(std::span<const double> theta, bool with_gradient, bool keeps_terms);
  /// After an evaluation with gradient: the gradient of target. Once.
  void pull_back(std::span<double> gradient) {
    target_value();
    direct_->pull_back(gradient);
  }
  bool evaluates() const { return direct_ != nullptr; }
  /// While it evaluates: steps so far that a sweep back visits; after it, goes back over those from `step` on, so that
  /// parts of the sweep can be timed. pull_back() does the rest.
  std::size_t steps() const { return direct_->steps(); }
  void sweep_to(std::size_t step) {
    target_value();
    direct_->sweep_to(step);
  }
  /// While it evaluates: a branch on numbers that carry derivatives.
  void branch(bool outcome) { direct_->branch(outcome); }
  /// While it evaluates: a scalar result with its derivatives.
  [[gnu::always_inline]] Ref step(double value, Ref a, double da) {
    const Ref d = r_.new_scalar(value);
    direct_->step(d, a, da);
    return d;
  }
  [[gnu::always_inline]] Ref step(double value, Ref a, double da, Ref b, double db) {
    const Ref d = r_.new_scalar(value);
    direct_->step(d, a, da, b, db);
    return d;
  }
  /// While it evaluates: sink() of scalars x; bit j of `ad`: refs[j] is the reference of x[j].
  void sink_now(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep) {
    target_value_ += direct_->sink_scalars(code, x, refs, ad, keep);
  }
  /// While it evaluates: a trail of scalar results for machine code (trail.h).
  void lend(Trail& trail) { direct_->lend(trail); }
  void take_back(Trail& trail) { direct_->take_back(trail); }
  /// Every term of target is a number, for the program reads target.
  bool keeps_terms() const { return keeps_terms_; }
  /// A hash of the path that an evaluation took.
  std::uint64_t path() const { return direct_->path(); }

  Ref constant(double value) { return sink_->constant(value); }
  /// The same for an operand of the scalar map or sink that is recorded next, and for nothing else: in a long loop such
  /// constants are not kept one by one.
  Ref operand(double value) { return sink_->operand(value); }
  /// Copies n numbers as one block; equal blocks are shared.
  Ref constant_block(const double* values, std::uint32_t n) { return sink_->constant_block(values, n); }
  double value(Ref r) const { return *pointer(r); }
  /// The numbers from `r` on: valid until the next recording call.
  const double* pointer(Ref r) const { return numbers_at(r_.trace, r); }

  /// Element-wise map of scalars. Throws DomainError when an operand breaks a rule of the map.
  Ref map(MapCode code, std::span<const Ref> x, Keep keep = {});
  /// n results as one block.
  Ref map_vector(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep = {});
  /// Sum over the n elements, as a scalar.
  Ref reduce(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep = {});
  /// The same, added to target.
  void sink(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep = {});
  /// The numbers `refs` as one block: `refs[0]` itself when they are consecutive already, else a copy.
  Ref gather(std::span<const Ref> refs) { return sink_->gather(refs); }

  /// The numbers from `ref` on, or those of `list` where they are not consecutive.
  struct CallResult {
    Shape shape;
    Ref ref;
    std::vector<Ref> list = {};
  };
  /// `context` goes to the kernel with every call and lives as long as the tape.
  CallResult call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x, Propto propto = {},
                  std::shared_ptr<const void> context = {});
  void call_sink(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x, Propto propto = {});

  /// The n numbers from `first` on are a simplex at every point: softmax made them.
  void note_simplex(Ref first, std::uint32_t n) { simplexes_[first] = n; }
  bool is_simplex(const KernelOperand& x) const;

  /// target += sum of n consecutive numbers.
  void target(Ref r, std::uint32_t n = 1);
  void target(double) = delete;  // a number is no reference: see target_constant
  void target_constant(double term) { add_constant(r_.trace, r_.weight, term); }
  /// Sum of everything added to target so far, at the recording point.
  double target_value() {
    if (direct_) target_value_ += direct_->settle();
    return target_value_ + constants();
  }
  /// target() as a number that carries derivatives: the terms so far, summed on the tape.
  Ref target_ref();

  /// So many weights that a workspace may change later, Weight 1 and so on, with what they are now. Before anything is recorded.
  void declare_weights(std::span<const double> values);
  /// A weight that stays what it is; finite and not negative.
  Weight constant_weight(double value);
  /// What goes to target from here on has this weight.
  Weight weight() const { return r_.weight; }
  void set_weight(Weight weight) { r_.weight = weight; }

  /// Compares and remembers the outcome: a replay in which it differs stops there.
  bool guard(Compare compare, Ref a, Ref b);

  /// compare(a, b) ? yes : no without a guard: holds whatever the outcome is later. Both were recorded, although only
  /// one is what the program asks for: a tape with a select that fails, or whose gradient is not a number, says nothing
  /// about the program, which is then to be recorded anew.
  Ref select(Compare compare, Ref a, Ref b, Ref yes, Ref no);
  /// Whether branches that are not taken may be recorded for select(). On to begin with.
  bool speculates() const { return speculates_; }
  void set_speculates(bool on) { speculates_ = on; }

  /// Makes this the recording of a function with several results instead of a density: see Workspace::outputs. Once, at
  /// the end.
  void outputs(std::span<const Ref> results);

  /// Rounds of a loop follow, at most `rounds`; they need not be alike. Unless this returns 0, the caller announces every
  /// round and the end. Loops of a long nest may be recorded by columns (loop.h, nest.h).
  LoopNest::Id begin_loop(Site site, std::int64_t rounds) { return columns_.begin_loop(site, rounds); }
  void next_round(LoopNest::Id loop) { columns_.next_round(loop); }
  void end_loop(LoopNest::Id loop) { columns_.end_loop(loop); }
  /// Instead of the end, when an error ends it.
  void forget_loop(LoopNest::Id loop) { columns_.forget_loop(loop); }
  /// Scalar ops are collected by columns: vectors of a few elements had better be recorded one by one, for an op of
  /// vectors ends this.
  bool by_columns() const { return columns_.collects(); }

  void set_site(Site site) { r_.site = site; }
  std::size_t op_count() const { return r_.trace.ops.size(); }
  std::size_t number_count() const { return r_.trace.values.size(); }
  /// From here on more than about so many ops throw RecordingTooLong.
  void set_most_ops(std::size_t n) { r_.most_ops = n; }
  /// Ends the recording.
  Trace finish() &&;

 private:
  Ref scalar(Ref r);
  double constants() const;
  Op make_map(OpKind kind, MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep);
  std::vector<KernelOperand> as_blocks(std::span<const KernelOperand> x);

  Recording r_;
  TraceSink trace_{r_};
  Sink* sink_ = &trace_;                // the one at hand
  ColumnSink columns_{r_, trace_, sink_};
  std::unique_ptr<DirectSink> direct_;  // set: evaluates
  bool keeps_terms_ = false;
  std::unordered_map<Ref, std::uint32_t> simplexes_;
  std::unordered_map<double, Weight> weights_;  // that stay what they are
  double target_value_ = 0;
  bool speculates_ = true;
};

/// What goes to target during its life has this weight.
class WeightScope {
 public:
  WeightScope(Recorder& recorder, Weight weight) : recorder_(recorder), before_(recorder.weight()) { recorder.set_weight(weight); }
  WeightScope(const WeightScope&) = delete;
  WeightScope& operator=(const WeightScope&) = delete;
  ~WeightScope() { recorder_.set_weight(before_); }

 private:
  Recorder& recorder_;
  Weight before_;
};

/// Records the kernel as scalar maps if it is known and small enough; else nothing, and the caller records a call.
std::optional<Recorder::CallResult> expand_small_call(Recorder& recorder, const Kernel& kernel,
                                                      std::span<const KernelOperand> x);

}  // namespace fermiac::ad
