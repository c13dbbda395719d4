// Forward mode for functions on a tape: the derivatives of all results along many directions in one sweep. For the small
// right-hand sides of differential equations it needs a fraction of the time of one reverse sweep per result.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {

/// A scalar op. Values live in one arena, tangents in another, `lanes` apart; both begin with the inputs.
struct TangentOp {
  OpKind kind{};
  std::uint8_t arity = 0;
  std::uint8_t active = 0;        // number of operands whose tangents count
  GuardTest test = {};            // of a guard
  MapCode map = kNoMap;
  Keep keep;
  std::uint8_t which[4] = {};     // the active operands
  std::uint32_t d = 0, x[4] = {};
  std::uint32_t td = 0, tx[4] = {};  // tx[k] belongs to operand which[k]
};

struct TangentSweep {
  const TangentOp* ops = nullptr;
  std::uint32_t count = 0;
  double* v = nullptr;
  double* t = nullptr;
  std::size_t lanes = 0;          // a multiple of 8; 0: values only
  const MapOp* maps = nullptr;
};

/// A tape of scalar operations. Immutable; arenas belong to the caller.
class TangentProgram {
 public:
  /// Null when the tape has operations without a forward mode (kernel calls).
  static std::unique_ptr<const TangentProgram> make(const Tape& tape);

  std::size_t value_slots() const { return values_; }
  std::size_t tangent_rows() const { return tangents_; }
  /// Writes the constants of an arena of values.
  void prepare(double* v) const;
  /// False when a guard or a domain rule fails.
  bool run(double* v, double* t, std::size_t lanes) const;
  /// After run().
  void results(const double* v, double* out) const;
  void result_tangents(const double* t, std::size_t lanes, double* rows) const;

  struct Result {
    std::uint32_t value = 0, tangent = 0;
    bool active = false;
  };
  std::size_t inputs() const { return inputs_; }
  /// When it becomes machine code: as the tape's scalar ops.
  Jit jit() const { return jit_; }
  std::span<const TangentOp> ops() const { return ops_; }
  std::span<const Result> results() const { return results_; }

 private:
  friend class TangentBuilder;
  Jit jit_ = Jit::Never;
  std::uint32_t inputs_ = 0, values_ = 0, tangents_ = 0;
  std::vector<TangentOp> ops_;
  struct Constant {
    std::uint32_t slot = 0;
    double value = 0;
  };
  std::vector<Constant> constants_;
  std::vector<Result> results_;
};

// One per instruction set. A sweep: the index of the op that failed, or the number of ops. A general map: false where it fails or throws; its
// partials are those of the active operands, left out where `partials` is null.
FERMIAC_DECLARE_FOR_ISAS(std::uint32_t sweep_tangents(const TangentSweep& s);
                         bool tangent_map(const MapOp& f, const TangentOp& op, double* v, double* partials) noexcept;)

}  // namespace fermiac::ad
