#include "tests/conformance/recorded_call.h"

#include <cmath>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck {
namespace {

bool holds_reals(const Value& v) {
  return v.kind() == Value::Kind::Real || v.kind() == Value::Kind::Reals;
}

Value references(const Shape& shape, std::size_t first) {
  std::vector<Ref> refs(shape.size());
  std::iota(refs.begin(), refs.end(), Ref::slot(first));
  return Value::refs(shape, std::move(refs));
}

/// weight(k): of the k-th number of all.
template <class Weight>
void add_weighted(CallContext& context, const Value& v, const Weight& weight, std::size_t& k) {
  static const NamedMap kMultiply("multiply");
  if (v.kind() == Value::Kind::Tuple) {
    for (const Value& slot : v.values()) add_weighted(context, slot, weight, k);
    return;
  }
  const std::size_t n = v.shape().size();
  for (std::size_t i = 0; i < n; ++i, ++k) {
    if (v.kind() != Value::Kind::Ref && v.kind() != Value::Kind::Refs) continue;
    const Ref r = v.kind() == Value::Kind::Ref ? v.as_ref() : v.ref_data()[i];
    const Value pair[] = {Value::reference(r), weight(k)};
    add_to_target(*context.recorder, kMultiply(context, pair));
  }
}

}  // namespace

std::vector<Value> as_parameters(const std::vector<Value>& args, unsigned mask, std::vector<double>& theta) {
  std::vector<Value> out = args;
  for (std::size_t j = 0; j < args.size(); ++j) {
    if (!(mask >> j & 1u) || !holds_reals(args[j])) continue;
    out[j] = references(args[j].shape(), theta.size());
    const std::vector<double> x = oracle::flatten(args[j]);
    theta.insert(theta.end(), x.begin(), x.end());
  }
  return out;
}

double result_weight(std::size_t k) {
  return std::cos(static_cast<double>(k));
}

void record_weighted_sum(CallContext& context, const Value& result) {
  std::size_t k = 0;
  add_weighted(context, result, result_weight, k);
}

void record_weighted_sum(CallContext& context, const Value& result, std::span<const double> weights) {
  std::size_t k = 0;
  add_weighted(context, result, [weights](std::size_t i) { return weights[i]; }, k);
}

Value plain_numbers(const CallContext& context, const Value& v) {
  if (v.kind() != Value::Kind::Tuple) return without_derivatives(context, v);
  std::vector<Value> slots;
  for (const Value& slot : v.values()) slots.push_back(plain_numbers(context, slot));
  return Value::tuple(std::move(slots));
}

}  // namespace fermiac::selfcheck
