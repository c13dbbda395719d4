// One evaluation without a tape, for programs whose path changes from point to point: terms of target hand their
// partials on while they are computed, guards only mark the path, scalar ops leave their partials, and one sweep goes
// back over them and over the other ops, which the trace keeps until then. Nothing is shared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "autodiff/tape/ir/path_hash.h"
#include "autodiff/tape/record/pending_terms.h"
#include "autodiff/tape/record/sink.h"
#include "autodiff/tape/record/trail.h"

namespace fermiac::ad {

class DirectSink : public Sink {
 public:
  using Sink::Sink;

  /// At the point where the recording starts. Without a gradient nothing is kept.
  virtual void restart(bool with_gradient);
  std::size_t steps() const { return steps_.size(); }
  /// Sweeps back over the steps from this one on, and forgets them.
  void sweep_to(std::size_t step);
  /// Sweeps back and writes the gradient [parameters]. Once.
  void pull_back(std::span<double> gradient);
  /// A hash of the outcomes of all guards so far.
  std::uint64_t path() const { return path_.value(); }

  // ---- scalars, at once

  /// d is a scalar with these derivatives by a, and by b if there is one.
  void step(Ref d, Ref a, double da, Ref b = Ref::none(), double db = 0) {
    if (with_gradient_) steps_.push_back({d.index(), a, b, da, db});
  }
  double settle();
  void branch(bool outcome) { path_.add(outcome); }
  /// Room on the trail for further steps: more than the last time if all of that was used up.
  void lend(Trail& trail);
  /// What was used is a part of the evaluation, the rest is free again.
  void take_back(Trail& trail);
  /// The value of a map of scalars x goes to target. Those in `ad` carry derivatives, refs[j] is operand j. Returns what it
  /// knows of the sum of such terms: the rest comes from settle().
  virtual double sink_scalars(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep);

  // ---- as of every sink

  Ref constant(double value) override { return r_.new_constant(value); }
  Ref constant_block(const double* values, std::uint32_t n) override;
  Ref map(Op& op, const double* x) override;
  void call(std::uint32_t index) override;
  void guard(Compare, Ref, Ref, bool outcome) override { branch(outcome); }
  double sink(Op op) override;
  double call_sink(std::uint32_t index) override;
  void target(Ref r, std::uint32_t n) override;
  std::vector<Ref> terms() override;
  void push(const Op& op) override;

 private:

  Ref copy(std::span<const Ref> elements) override;
  template <class Take>
  double evaluate(const MapOp& f, const double* x, std::uint8_t ad, Keep keep, Take take) const;
  void cover();
  void show(Trail& trail);
  double* adjoint(Ref r) { return &adjoints_[r.index()]; }
  MapArgs bind_adjoints(const Op& op);
  KernelCall bind(const CallInfo& info, const double* out_a, std::size_t scratch);
  double fused(const CallInfo& info);
  void forward(std::uint32_t call);
  void reverse(const Op& op);
  void reverse_vector(const Op& op);
  void reverse_call(std::uint32_t call);
  void scatter(const Op& op);

  std::vector<double> adjoints_;         // as Trace::values
  std::vector<ScalarStep> steps_;
  std::vector<double> scratch_;          // of calls that wait for the sweep
  std::vector<std::size_t> scratch_at_;  // by call
  std::vector<KernelArg> call_args_;
  PendingTerms pending_;
  PathHash path_;
  bool with_gradient_ = true;
};

}  // namespace fermiac::ad
