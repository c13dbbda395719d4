// The Hessian of a tape's log density times a vector, exact to rounding: forward over reverse. A sweep carries how fast every value
// changes along a direction, a second one back how fast every adjoint does (Griewank & Walther, Evaluating Derivatives, sec. 5.1:
// B. A. Pearlmutter, Fast exact multiplication by the Hessian, Neural Computation 6, 1994).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autodiff/forward_over_reverse/moving_calls.h"
#include "autodiff/forward_over_reverse/tangent_maps.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {

class SecondOrder {
 public:
  /// The first function on the tape whose second derivatives are not known; none: times() is exact.
  static std::optional<std::string> not_covered(const Tape& tape);
  /// That in words.
  static std::string lacks_text(const std::string& function) { return function + " has no exact second derivatives here"; }

  /// Of a tape that is covered.
  explicit SecondOrder(std::shared_ptr<const Tape> tape);

  /// Log density and gradient [parameters()] at theta, where times() is from then on.
  ReplayStatus move_to(std::span<const double> theta, double* lp, std::span<double> gradient);
  /// product = Hessian * direction, each [parameters()]. Cost: some three gradients of scalar code. NaN where a function
  /// has no second derivative.
  void times(std::span<const double> direction, std::span<double> product);

 private:
  /// An application of a map to one element of its operands.
  struct Element {
    double x[kMaxMapArity] = {}, dx[kMaxMapArity] = {}, d[kMaxMapArity] = {};
  };
  struct Moving {
    double now = 0, speed = 0;
  };
  using LocalNumbers = std::vector<double>;

  void forward(std::uint32_t i);
  void reverse(std::uint32_t i);
  Element element(const TapeOp& op, std::uint32_t i) const;
  double speed(const TapeOp& op, Element& e) const;
  Moving value_of(const TapeOp& op, Element& e) const;
  void partials(const TapeOp& op, Element& e, Moving value, Moving adjoint) const;
  void map_reverse(const TapeOp& op, std::uint32_t i, Moving adjoint);
  void add_adjoints(const TapeOp& op, std::uint32_t i, const Element& e);
  double weight(const TapeOp& op) const;
  MovingCall moving_call(const TapeOp& op);
  void sink_reverse(const TapeOp& op, const CallTangents& tangents);
  void tiles(const TapeOp& op);
  void tiled_forward(const TapeOp& tiled, std::uint32_t i);
  void tiled_reverse(const TapeOp& tiled, std::uint32_t i);
  Element tiled_element(const TapeOp& tiled, std::uint32_t i) const;

  const Tape& tape_;
  Workspace numbers_;
  const double *v_, *a_;                 // by place of the arena
  std::vector<double> dv_, da_;          // likewise: speeds of values and of adjoints
  std::vector<const CallTangents*> calls_;
  std::vector<std::vector<KernelArg>> args_;
  std::vector<std::vector<const double*>> speeds_;
  LocalNumbers local_v_, local_dv_, local_a_, local_da_;  // of one element of tiles
};

}  // namespace fermiac::ad
