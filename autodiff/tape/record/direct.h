// One evaluation without a tape, for programs whose path changes from point to point: terms of target hand their
// partials on while they are computed, guards only mark the path, scalar ops leave their partials, and one sweep goes
// back over them and over the trace's other ops. A Recorder that evaluates (Recorder::evaluate) keeps its operations here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "autodiff/tape/trace/path_hash.h"
#include "autodiff/tape/trace/trace.h"

namespace fermiac::ad {

class Direct {
 public:
  /// Starts over. Without a gradient nothing is kept.
  void restart(std::uint32_t parameters, bool with_gradient);

  /// The value of a density of scalars x; the partials of those in `ad` go to the adjoints of `refs`. Throws DomainError.
  double sink(const Trace& t, const MapOp& f, const double* x, const Ref* refs, std::uint8_t ad, Keep keep);
  /// The same for a sink of any shape.
  double sink(const Trace& t, const Op& op);
  /// The same for kernel calls[call], whose result is a scalar.
  double call_sink(Trace& t, std::uint32_t call);
  /// d is a scalar with these derivatives by a, and by b unless that is kNoRef.
  void step(Ref d, Ref a, double da, Ref b = kNoRef, double db = 0) {
    if (with_gradient_) steps_.push_back({d, a, b, da, db});
  }
  /// The same for a map of scalars, of which those in `ad` carry derivatives; returns its value.
  double step(const MapOp& f, const double* x, const Ref* refs, std::uint8_t ad, Keep keep, Ref d);
  /// An op of another kind was put at the trace's end.
  void other(const Trace& t) {
    if (with_gradient_) steps_.push_back({.d = static_cast<std::uint32_t>(t.ops.size() - 1), .a = kNoRef});
  }
  /// The result of calls[call] goes to its place; scratch stays until the sweep.
  void call(Trace& t, std::uint32_t call);
  /// target += n numbers from r on.
  void target(const Trace& t, Ref r, std::uint32_t n);

  void branch(bool outcome) { path_.add(outcome); }
  /// A hash of the outcomes of all guards so far.
  std::uint64_t path() const { return path_.value(); }
  bool with_gradient() const { return with_gradient_; }

  /// Sweeps the trace's ops back and writes the gradient [parameters]. Once.
  void pull_back(const Trace& t, std::span<double> gradient);

 private:
  static constexpr Ref kNoRef = ~Ref{0};
  struct Step {
    std::uint32_t d = 0;  // result; of another op its number in the trace
    Ref a = kNoRef, b = kNoRef;
    double da = 0, db = 0;
  };

  template <class Take>
  double evaluate(const MapOp& f, const double* x, std::uint8_t ad, Keep keep, Take take) const;
  void cover(const Trace& t);
  double* adjoint(Ref r) { return &adjoints_[r]; }
  MapArgs bind(const Trace& t, const Op& op);
  KernelCall bind(const Trace& t, const CallInfo& info, double* out, const double* out_a, std::size_t scratch);
  void reverse(const Trace& t, const Op& op);
  void reverse_call(const Trace& t, std::uint32_t call);
  void scatter(const Trace& t, const Op& op);

  std::vector<double> adjoints_;           // as Trace::values
  std::vector<Step> steps_;
  std::vector<double> scratch_;            // of calls that wait for the sweep
  std::vector<std::size_t> scratch_at_;    // by call
  std::vector<KernelArg> call_args_;
  PathHash path_;
  bool with_gradient_ = true;
};

}  // namespace fermiac::ad
