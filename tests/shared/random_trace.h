// Recordings of random scalar ops, for engines that are to agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "support/base/rng.h"

namespace fermiac::testing {

/// A recording made of random ops, the numbers of which are read again soon, late, or by vector ops.
class RandomTrace {
 public:
  RandomTrace(std::uint64_t seed, std::size_t parameters) : theta(parameters), rng_(seed) {
    for (double& x : theta) x = 2 * rng_.uniform() - 0.5;
  }
  /// A log density.
  ad::Trace density(std::size_t ops) {
    ad::Recorder r(theta);
    begin(r);
    for (std::size_t i = 0; i < ops; ++i) step(r);
    for (std::size_t i = known_.size() - 3; i < known_.size(); ++i) r.target(known_[i]);
    return std::move(r).finish();
  }
  /// A function with this many results, some of which may be parameters or constants.
  ad::Trace function(std::size_t ops, std::size_t results) {
    ad::Recorder r(theta);
    begin(r);
    for (std::size_t i = 0; i < ops; ++i) compute(r);
    std::vector<Ref> out;
    for (std::size_t i = 0; i < results; ++i) out.push_back(any());
    r.outputs(out);
    return std::move(r).finish();
  }

  std::vector<double> theta;  // where it was recorded

 private:
  using Ref = ad::Ref;
  using Recorder = ad::Recorder;
  Rng rng_;
  std::vector<Ref> known_;

  void begin(Recorder& r) {
    for (std::size_t i = 0; i < theta.size(); ++i) known_.push_back(Ref::slot(static_cast<std::uint32_t>(i)));
    for (const double c : {0.5, -2.0, 3.0}) known_.push_back(r.constant(c));
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_.uniform() * static_cast<double>(n)); }
  Ref any() { return below(3) > 0 ? known_[known_.size() - 1 - below(std::min<std::size_t>(4, known_.size()))] : known_[below(known_.size())]; }
  static ad::Operand operand(Ref x) { return {.ref = x, .autodiff = !x.is_constant()}; }
  Ref map(Recorder& r, const char* name, std::vector<Ref> x) { return r.map(ad::find_map(name), x); }
  /// Some stay between -1 and 1, so that numbers neither grow for ever nor vanish.
  Ref next(Recorder& r) {
    switch (below(16)) {
      case 0: return map(r, "add", {any(), any()});
      case 1: return map(r, "subtract", {any(), any()});
      case 2: return map(r, "multiply", {any(), any()});
      case 3: return map(r, "divide", {any(), map(r, "add", {map(r, "square", {any()}), r.constant(1)})});
      case 4: return map(r, "minus", {any()});
      case 5: return map(r, "fma", {any(), any(), any()});
      case 6: return map(r, "exp", {map(r, "minus", {map(r, "square", {any()})})});
      case 7: return map(r, "log", {map(r, "add", {map(r, "square", {any()}), r.constant(0.5)})});
      case 8: return map(r, "sqrt", {map(r, "fma", {any(), any(), r.constant(40)})});
      case 9: return map(r, "inv", {map(r, "fma", {any(), r.constant(0.1), r.constant(5)})});
      case 10: return map(r, "square", {any()});
      case 11: return map(r, "atan", {any()});
      case 12: return map(r, "lgamma", {map(r, "add", {map(r, "square", {any()}), r.constant(1)})});
      case 13: return map(r, "fma", {r.constant(0.3), any(), r.constant(-0.1)});
      default: return map(r, "tanh", {any()});
    }
  }
  /// A density of numbers that it takes where they are recorded; elsewhere they may be none.
  void sink(Recorder& r) {
    const Ref y = any(), mu = any();
    if (!std::isfinite(r.value(y)) || !std::isfinite(r.value(mu))) return;
    const ad::Operand x[] = {operand(y), operand(mu), operand(map(r, "exp", {map(r, "sin", {mu})}))};
    r.sink(ad::find_map("normal_lpdf"), x, 1);
  }
  void compute(Recorder& r) {
    if (below(15) == 0) r.guard(static_cast<ad::Compare>(below(2)), any(), any());
    known_.push_back(next(r));
  }
  void step(Recorder& r) {
    if (below(12) == 0) r.target(any());
    if (below(20) == 0) sink(r);
    compute(r);
  }
};

}  // namespace fermiac::testing
