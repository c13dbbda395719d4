#include "autodiff/distributions/detail/rng.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#define FERMIAC_LAW_DRAWS
#include "autodiff/distributions/defs/all.h"
#include "autodiff/kernels/scalar_driver.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {

namespace {

template <const Law& L>
constexpr RngOp make_rng(std::string_view name, double (*draw)(Rng& rng, const double* x)) {
  return {name, static_cast<int>(L.arguments.size()) - 1, kDrawRules<L>, draw, L.counts};
}

// draws::normal is what draws from laws::kNormal; its rules come from the law.
#define FERMIAC_DRAW(name, Name) make_rng<laws::k##Name>(#name "_rng", draws::name),
constexpr RngOp kRngs[] = {FERMIAC_LAWS_WITH_DRAWS(FERMIAC_DRAW)};
#undef FERMIAC_DRAW

constexpr std::uint32_t kDrawsToStop = 64;

double guarded(const RngOp& op, Rng& rng, const double* x) {
  const double v = op.draw(rng, x);
  if (op.integer_result && !(std::fabs(v) <= 2147483647.0))
    throw DomainError(fmt::format("{}: the draw {} does not fit an int!", op.name, v));
  return v;
}

}  // namespace

const RngOp* find_rng(std::string_view name) {
  const auto it = std::ranges::find(kRngs, name, &RngOp::name);
  return it == std::ranges::end(kRngs) ? nullptr : it;
}

std::span<const RngOp> all_rngs() { return kRngs; }

double draw(const RngOp& op, Rng& rng, const double* x) {
  if (!rules_hold(op.rules, x)) {
    MapArgs args;
    for (int j = 0; j < op.arity; ++j) args.x[j] = x + j;
    explain_rules(op.name, op.rules, args);
  }
  return guarded(op, rng, x);
}

void draw_all(const RngOp& op, Rng& rng, const MapArgs& args) {
  explain_rules(op.name, op.rules, args);
  double x[kMaxMapArity];
  for (std::uint32_t i = 0; i < args.n; ++i) {
    for (int j = 0; j < op.arity; ++j) x[j] = args.x[j][args.vector_mask >> j & 1u ? i : 0];
    if (i % kDrawsToStop == 0) stop_point();
    args.out[i] = guarded(op, rng, x);
  }
}

}  // namespace fermiac::ad
