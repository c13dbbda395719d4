// Terms of target that are maps of scalars, while a point is evaluated without a tape: collected by kind and evaluated many
// at a time, as vectors. What a rule refuses is refused at once, so errors come in the order of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

class PendingTerms {
 public:
  /// Adds weight * f(x); refs[j] is the reference of the operands j in `ad`, which carry derivatives. DomainError where an operand
  /// breaks a rule.
  void add(const MapOp& f, const double* x, const Ref* refs, std::uint8_t ad, Keep keep, double weight = 1);
  /// The sum of all since the last time. Their partials are added to the adjoints, unless these are null.
  double take(double* adjoints);
  /// A kind has no more room: take() comes before the next add().
  bool full() const { return full_; }
  void clear();

 private:
  static constexpr std::uint32_t kMost = 64;
  static constexpr std::size_t kKinds = 8;

  /// Operand j of the terms: one number as long as all are alike.
  struct Column {
    bool varies = false;
    Ref ref[kMost];
    double x[kMost + 8], a[kMost + 8];
  };
  struct Kind {
    const MapOp* map = nullptr;
    Keep keep;
    std::uint8_t ad = 0;
    double weight = 1;
    std::uint32_t n = 0;
    Column columns[kMaxMapArity];
  };

  Kind& kind_of(const MapOp& f, std::uint8_t ad, Keep keep, double weight);
  static void spread(Column& column, std::uint32_t n);
  static void put(Column& column, std::uint32_t n, double x, Ref ref);
  static double evaluate(Kind& kind, double* adjoints);
  static void scatter(const Kind& kind, double* adjoints);

  std::vector<Kind> kinds_;
  bool full_ = false;
};

}  // namespace fermiac::ad
