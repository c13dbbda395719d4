// Records operations while evaluating them. The interpreter calls it for every operation with an operand that carries
// derivatives; whatever depends only on data never gets here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/record/direct.h"
#include "autodiff/tape/record/loop.h"
#include "autodiff/tape/record/nest.h"
#include "autodiff/tape/trace/storage.h"
#include "autodiff/tape/trace/trace.h"
#include "autodiff/tape/trace/trace_builder.h"

namespace fermiac::ad {

/// Operand of a map: one scalar, or n contiguous numbers starting at `ref`.
struct Operand {
  Ref ref = 0;
  bool vector = false;
  bool autodiff = false;
};

class Recorder {
 public:
  /// Starts a recording at the parameter point `theta`. Parameter i is Ref i.
  explicit Recorder(std::span<const double> theta);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Starts over at `theta`, to evaluate there instead of recording (direct.h): branches are not speculated on, nothing
  /// is shared or kept for a tape, and pull_back() ends it. Room that was needed before is used again. outputs() is not
  /// for such an evaluation, target_ref() only if it `keeps_terms` of target.
  void evaluate(std::span<const double> theta, bool with_gradient, bool keeps_terms);
  /// After an evaluation with gradient: the gradient of target. Once.
  void pull_back(std::span<double> gradient) { direct_->pull_back(trace_, gradient); }
  bool evaluates() const { return direct_ != nullptr; }
  /// While it evaluates: a branch on numbers that carry derivatives.
  void branch(bool outcome) { direct_->branch(outcome); }
  /// While it evaluates: a scalar result with its derivatives.
  [[gnu::always_inline]] Ref step(double value, Ref a, double da) {
    const Ref d = new_scalar(value);
    direct_->step(d, a, da);
    return d;
  }
  [[gnu::always_inline]] Ref step(double value, Ref a, double da, Ref b, double db) {
    const Ref d = new_scalar(value);
    direct_->step(d, a, da, b, db);
    return d;
  }
  /// While it evaluates: sink() of scalars x; bit j of `ad`: refs[j] is the reference of x[j].
  void sink_now(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep);
  /// A hash of the path that an evaluation took.
  std::uint64_t path() const { return direct_->path(); }

  Ref constant(double value) { return direct_ ? new_constant(value) : build_.constant(value); }
  /// The same for an operand of the scalar map or sink that is recorded next, and for nothing else: in a long loop such
  /// constants are not kept one by one.
  Ref operand(double value) { return loop_ ? loop_constant(value) : constant(value); }
  /// Copies n numbers as one block; equal blocks are shared.
  Ref constant_block(const double* values, std::uint32_t n);
  double value(Ref r) const { return *pointer(r); }
  /// The numbers from `r` on: valid until the next recording call.
  const double* pointer(Ref r) const { return numbers_at(trace_, r); }

  /// Element-wise map of scalars. Throws DomainError when an operand breaks a rule of the map.
  Ref map(MapCode code, std::span<const Ref> x, Keep keep = {});
  /// n results as one block.
  Ref map_vector(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep = {});
  /// Sum over the n elements, as a scalar.
  Ref reduce(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep = {});
  /// The same, added to target.
  void sink(MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep = {});
  /// The numbers `refs` as one block: `refs[0]` itself when they are consecutive already, else a copy.
  Ref gather(std::span<const Ref> refs);

  /// The numbers from `ref` on, or those of `list` where they are not consecutive.
  struct CallResult {
    Shape shape;
    Ref ref = 0;
    std::vector<Ref> list = {};
  };
  /// `context` goes to the kernel with every call and lives as long as the tape.
  CallResult call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x, bool propto = false,
                  std::shared_ptr<const void> context = {});
  void call_sink(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> x, bool propto = false);

  /// The n numbers from `first` on are a simplex at every point: softmax made them.
  void note_simplex(Ref first, std::uint32_t n) { simplexes_[first] = n; }
  bool is_simplex(const KernelOperand& x) const;

  /// target += sum of n consecutive numbers.
  void target(Ref r, std::uint32_t n = 1);
  void target(double) = delete;  // a number is no reference: see target_constant
  void target_constant(double term) { trace_.constant += term; }
  /// Sum of everything added to target so far, at the recording point.
  double target_value() const { return target_value_ + trace_.constant; }
  /// target() as a number that carries derivatives: the terms so far, summed on the tape.
  Ref target_ref();

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
  LoopNest::Id begin_loop(Site site, std::int64_t rounds);
  void next_round(LoopNest::Id loop);
  void end_loop(LoopNest::Id loop);
  /// Instead of the end, when an error ends it.
  void forget_loop(LoopNest::Id loop) { nest_.end(loop); }
  /// Scalar ops are collected by columns: vectors of a few elements had better be recorded one by one, for an op of
  /// vectors ends this.
  bool by_columns() const { return loop_ != nullptr; }

  void set_site(Site site) { site_ = site; }
  std::size_t op_count() const { return trace_.ops.size(); }
  /// Ends the recording.
  Trace finish() &&;

 private:
  [[gnu::always_inline]] Ref new_scalar(double value) {
    const Ref d = static_cast<Ref>(trace_.values.size());
    // Vector loops over the last scalars read a whole block (allocate_slots).
    if (trace_.values.capacity() < std::size_t{d} + 1 + kPad) [[unlikely]] grow_values();
    trace_.values.push_back(value);
    return d;
  }
  Ref new_constant(double value) {
    if (trace_.const_scalars.size() == trace_.const_scalars.capacity()) [[unlikely]] grow_constants();
    trace_.const_scalars.push_back(value);
    return kConstScalar | static_cast<Ref>(trace_.const_scalars.size() - 1);
  }
  void grow_values();
  void grow_constants();
  void grow_ops();
  Ref loop_constant(double value);
  Ref scalar(Ref r);
  void push(Op op);
  bool is_passing(Ref r) const;
  bool joins_loop(Op& op);
  void start_columns(LoopNest::Id loop);
  void leave_loop(bool fits = false);
  void emit(LoopRecording::Collected& collected);
  void emit(const LoopRecording::Sum& sum);
  Ref sum_of_terms(std::span<const Ref> terms);
  Ref block(const RefColumn& x, std::uint32_t n);
  Ref column(const LoopRecording::Collected& collected, int operand, bool as_vector);
  MapArgs bind(const Op& op) const;
  Op make_map(OpKind kind, MapCode code, std::span<const Operand> x, std::uint32_t n, Keep keep);
  void run_call(const CallInfo& info);
  std::vector<KernelOperand> as_blocks(std::span<const KernelOperand> x);
  std::optional<Ref> keep_sink_value(std::size_t op);

  static constexpr std::uint32_t kLoopConstants = 16;

  Trace trace_;
  TraceBuilder build_{trace_};
  std::unique_ptr<Direct> direct_;  // set: evaluates
  bool keeps_terms_ = false;
  std::vector<Ref> terms_;          // of target, where an evaluation keeps them
  std::unique_ptr<LoopRecording> loop_;
  LoopRecording::Readers sum_readers_;
  LoopNest nest_;
  std::unordered_map<Ref, std::uint32_t> simplexes_;
  Ref loop_constants_ = kRefMask;         // first of kLoopConstants passing constants (operand)
  std::uint32_t next_loop_constant_ = 0;
  Site site_ = 0;
  double target_value_ = 0;
  bool speculates_ = true;
  std::vector<KernelArg> call_args_;
  std::vector<double> scratch_;  // of the call being recorded
};

}  // namespace fermiac::ad
