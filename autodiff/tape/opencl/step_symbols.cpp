#include "autodiff/tape/opencl/step_symbols.h"

namespace fermiac::ad::device {

std::vector<symbols::Symbol> StepSymbols::operands(const Step& step) {
  std::vector<Symbol> x;
  for (const Source& source : step.x) x.push_back(symbol(source));
  x.resize(kMaxMapArity);
  return x;
}

symbols::Truth StepSymbols::prepare(std::size_t i, const std::vector<Symbol>& x) {
  const Step& step = steps_[i];
  std::vector<Symbol>& shares = shares_[i];
  shares.resize(symbols::kMaxShared);
  for (int k = 0; k < step.map->shared; ++k)
    shares[static_cast<std::size_t>(k)] = (step.map->shared_of[k] & step.vector_mask) == 0 ? shared_scalar(step, k) : step.map->share(k, x.data(), step.keep);
  return step.map->holds(x.data());
}

void StepSymbols::add_adjoint(const Source& source, const Symbol& d) {
  if (source.kind == Source::Kind::Local) adjoints_[source.at] = adjoints_[source.at] + d;
  else add_outside(source, d);
}

void StepSymbols::back() {
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const Step& step = steps_[i];
    if (step.kind != Step::Kind::Value || (adjoints_[i].is_number() && adjoints_[i].number() == 0)) continue;
    std::vector<Symbol> d(kMaxMapArity);
    step.map->partials(operands(step).data(), shares_[i].data(), values_[i], adjoints_[i], d.data(), step.keep);
    hand_back(step, d, [](const Symbol& x) { return x; });
  }
}

}  // namespace fermiac::ad::device
