#include "autodiff/kernels/scalar_driver.h"

#include <string>

#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

/// Operands of element i. Series of a million terms are rare, but there may be one in every element.
void gather(const MapOp& op, const MapArgs& m, std::uint32_t i, double* x) {
  if (i % 8 == 7) stop_point();
  for (int j = 0; j < op.arity; ++j) x[j] = m.x[j][m.vector_mask >> j & 1u ? i : 0];
}

/// a[j] += g * d[j] at element i.
void scatter(const MapOp& op, const MapArgs& m, std::uint32_t i, double g, const double* d) {
  for (int j = 0; j < op.arity; ++j)
    if (m.a[j]) m.a[j][m.vector_mask >> j & 1u ? i : 0] += g * d[j];
}

/// Partials nobody will read are not computed.
Keep only_bound(const MapOp& op, const MapArgs& m) {
  Keep k = m.keep;
  for (int j = 0; j < op.arity; ++j)
    if (!m.a[j]) k.ad = static_cast<std::uint8_t>(k.ad & ~(1u << j));
  return k;
}

/// The product of the values with every factor but i. A second 0 settles it.
double product_without(const MapOp& op, const MapArgs& m, std::uint32_t skipped) {
  double x[kMaxMapArity];
  double p = 1;
  for (std::uint32_t i = 0; i < m.n && p != 0; ++i) {
    if (i == skipped) continue;
    gather(op, m, i, x);
    p *= op.value(x, m.keep);
  }
  return p;
}

/// Few factors: their partials are kept until the product is known. Adds nothing where a factor is too small to divide by.
constexpr std::uint32_t kFewFactors = 64;
bool fused_short_product(const MapOp& op, const MapArgs& m, double* product, bool* done) {
  const Keep k = only_bound(op, m);
  double x[kMaxMapArity], v[kFewFactors], d[kFewFactors][kMaxMapArity];
  double p = 1, least = 1;
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    if (!rules_hold(op.rules, x)) return false;
    v[i] = op.value_and_partials(x, k, d[i]);
    p *= v[i];
    least = v[i] < least ? v[i] : least;
  }
  *product = p;
  *done = least > 1e-150;
  for (std::uint32_t i = 0; i < m.n && *done; ++i) scatter(op, m, i, m.g * (p / v[i]), d[i]);
  return true;
}

bool fused_product(const MapOp& op, const MapArgs& m, double* product) {
  bool done = false;
  if (m.n <= kFewFactors && (!fused_short_product(op, m, product, &done) || done)) return done;
  if (!scalar_reduce(op, m, product)) return false;
  const Keep k = only_bound(op, m);
  double x[kMaxMapArity], d[kMaxMapArity];
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    const double v = op.value_and_partials(x, k, d);
    const double rest = v > 1e-150 ? *product / v : product_without(op, m, i);
    scatter(op, m, i, m.g * rest, d);
  }
  return true;
}

/// Functions of one operand that check it themselves do not know which element it is.
std::string with_index(std::string text, const MapOp& op, const MapArgs& m, std::uint32_t i) {
  const std::size_t end_of_label = text.find(" is ");
  if (op.arity == 1 && m.vector_mask != 0 && end_of_label != std::string::npos)
    text.insert(end_of_label, "[" + std::to_string(i + 1) + "]");
  return text;
}

double value_of_element(const MapOp& op, const MapArgs& m, const double* x, std::uint32_t i) {
  try {
    return op.value(x, m.keep);
  } catch (const DomainError& e) {
    throw DomainError(with_index(e.what(), op, m, i));
  }
}

}  // namespace

bool scalar_map(const MapOp& op, const MapArgs& m) {
  double x[kMaxMapArity];
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    if (!rules_hold(op.rules, x)) return false;
    m.out[i] = value_of_element(op, m, x, i);
  }
  return true;
}

void scalar_map_reverse(const MapOp& op, const MapArgs& m) {
  const Keep k = only_bound(op, m);
  double x[kMaxMapArity], d[kMaxMapArity];
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    op.value_and_partials(x, k, d);
    scatter(op, m, i, m.out_a[i], d);
  }
}

void scalar_map_reverse(const MapOp& op, const MapArgs& m, void (*slopes)(const double*, double, double*)) {
  double x[kMaxMapArity], d[kMaxMapArity];
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    slopes(x, m.out[i], d);
    scatter(op, m, i, m.out_a[i], d);
  }
}

bool scalar_reduce(const MapOp& op, const MapArgs& m, double* sum) {
  double x[kMaxMapArity];
  double total = op.product ? 1 : 0;
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    if (!rules_hold(op.rules, x)) return false;
    const double v = op.value(x, m.keep);
    total = op.product ? total * v : total + v;
  }
  *sum = total;
  return true;
}

bool scalar_fused(const MapOp& op, const MapArgs& m, double* sum) {
  if (op.product) return fused_product(op, m, sum);
  const Keep k = only_bound(op, m);
  double x[kMaxMapArity], d[kMaxMapArity];
  double total = 0;
  for (std::uint32_t i = 0; i < m.n; ++i) {
    gather(op, m, i, x);
    if (!rules_hold(op.rules, x)) return false;
    total += op.value_and_partials(x, k, d);
    scatter(op, m, i, m.g, d);
  }
  *sum = total;
  return true;
}

}  // namespace fermiac::ad
