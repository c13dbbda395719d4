// The steps of a chain as symbols: values one after the other, adjoints back. Who derives from it says what comes from outside, and what
// becomes of steps that end in target.
#pragma once

#include <vector>

#include "autodiff/symbolic/map_formula.h"
#include "autodiff/tape/opencl/chains.h"

namespace fermiac::ad::device {

class StepSymbols {
 protected:
  using Symbol = symbols::Symbol;

  explicit StepSymbols(const std::vector<Step>& steps) : steps_(steps), values_(steps.size()), adjoints_(steps.size()), shares_(steps.size()) {}
  virtual ~StepSymbols() = default;

  /// A number that no step makes.
  virtual Symbol outside(const Source& source) = 0;
  virtual void add_outside(const Source& source, const Symbol& adjoint) = 0;
  /// Quantity i of the step, which depends on scalars alone.
  virtual Symbol shared_scalar(const Step& step, int i) = 0;

  Symbol symbol(const Source& source) { return source.kind == Source::Kind::Local ? values_[source.at] : outside(source); }
  /// With zeros for operands that the map has not.
  std::vector<Symbol> operands(const Step& step);
  /// Needed before the step's map is asked for anything; also what has to hold.
  symbols::Truth prepare(std::size_t i, const std::vector<Symbol>& x);
  void add_adjoint(const Source& source, const Symbol& d);
  template <class Change>
  void hand_back(const Step& step, const std::vector<Symbol>& d, Change change) {
    for (std::size_t j = 0; j < step.x.size(); ++j)
      if (step.ad_mask >> j & 1u) add_adjoint(step.x[j], change(d[j]));
  }
  /// From the adjoints of the steps' values to those of what is outside.
  void back();

  const std::vector<Step>& steps_;
  std::vector<Symbol> values_, adjoints_;
  std::vector<std::vector<Symbol>> shares_;
};

}  // namespace fermiac::ad::device
