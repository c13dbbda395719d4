// Where the operations of a recorder go: into a trace (trace_sink.h), for a while into the columns of a long loop
// (column_sink.h), or nowhere, for one point is evaluated without a tape (direct_sink.h, term_sink.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/record/recording.h"

namespace fermiac::ad {

class Sink {
 public:
  explicit Sink(Recording& recording) : r_(recording) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  // ---- constants

  virtual Ref constant(double value) = 0;
  /// For the scalar op that comes next, and for nothing else.
  virtual Ref operand(double value) { return constant(value); }
  virtual Ref constant_block(const double* values, std::uint32_t n) = 0;

  // ---- ops; DomainError where an operand breaks a rule

  /// A map of scalars, whose operands are the numbers x. Returns its result, and may write to `op`.
  virtual Ref map(Op& op, const double* x) = 0;
  /// The same of vectors: n results as one block.
  Ref map_vector(Op op);
  /// Their sum.
  Ref reduce(Op op);
  /// The numbers as one block, which they may be already.
  Ref gather(std::span<const Ref> elements);
  /// calls[index], whose result has room.
  virtual void call(std::uint32_t index) = 0;
  /// A comparison of numbers that carry derivatives had this outcome.
  virtual void guard(Compare compare, Ref a, Ref b, bool outcome) = 0;

  // ---- target

  /// The sum of a map goes to target, times the weight at hand; returns what does.
  virtual double sink(Op op) = 0;
  /// The same of calls[index], whose result is a scalar.
  virtual double call_sink(std::uint32_t index) = 0;
  /// target += n numbers from r on, which are no constants.
  virtual void target(Ref r, std::uint32_t n) = 0;
  /// Everything that was added to target, as numbers. What went there without becoming one becomes one.
  virtual std::vector<Ref> terms() = 0;

  /// An op whose results are there.
  virtual void push(const Op& op) = 0;
  /// Nothing more comes.
  virtual void finish() {}

 protected:
  MapArgs bind(const Op& op) const;
  double value_of(const Op& op, const double* x) const {
    const MapOp& f = map_op(op.map);
    check_domain(f, x);
    return f.value(x, op.keep);
  }
  double sum_of(const Op& op) const;
  /// As it counts in target. What does not count may be outside its domain.
  double weighed_sum_of(const Op& op) const {
    const double weight = r_.weight_now();
    return weight == 0 ? 0 : weight * sum_of(op);
  }
  /// The number as it counts in target, as a number of its own.
  Ref weighed(Ref term, double weight);

  /// The number that an op makes.
  double& result(Ref d) { return r_.trace.values[d.index()]; }

  Recording& r_;

 private:
  /// Copies of the numbers, none of which is an element of a block of constants.
  virtual Ref copy(std::span<const Ref> elements) = 0;
};

}  // namespace fermiac::ad
