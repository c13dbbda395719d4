#include "interp/functions/builtin_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "support/base/errors.h"

namespace fermiac::interp {

bool any_autodiff(Args args) {
  return std::ranges::any_of(args, &Value::is_autodiff);
}

bool all_int(Args args) {
  return std::ranges::all_of(args, &Value::is_int);
}

void not_implemented(std::string_view name) {
  throw NotImplemented(fmt::format("{}: this function is not implemented yet", name));
}

Value real_kernel(CallContext& context, std::string_view name, Args args) {
  const ad::Kernel* kernel = ad::find_kernel(name);
  if (kernel == nullptr) not_implemented(name);
  return apply_kernel(context, *kernel, name, args);
}

void wrong_arguments(std::string_view name, Args args) {
  std::string types;
  for (const Value& v : args) types += fmt::format("{}{}", types.empty() ? "" : ", ", v.shape().str());
  throw ad::FatalError(fmt::format("{}: no overload takes ({})", name, types));
}

std::int32_t int_argument(std::string_view name, Args args, std::size_t i) {
  if (i >= args.size() || !args[i].is_int()) wrong_arguments(name, args);
  return args[i].as_int();
}

std::span<const std::int32_t> int_elements(std::string_view name, Args args, std::size_t i) {
  if (i >= args.size() || args[i].kind() != Value::Kind::Ints) wrong_arguments(name, args);
  return args[i].int_data();
}

double element_value(const CallContext& context, const Value& v, std::uint32_t k) {
  switch (v.kind()) {
    case Value::Kind::Int: return v.as_int();
    case Value::Kind::Real: return v.as_real();
    case Value::Kind::Ref: return recorded_value(context, v.as_ref());
    case Value::Kind::Ints: return v.int_data()[k];
    case Value::Kind::Reals: return v.real_data()[k];
    case Value::Kind::Refs: return recorded_value(context, v.ref_data()[k]);
    default: throw ad::FatalError("a number was expected where a tuple is");
  }
}

Value without_derivatives(const CallContext& context, const Value& v) {
  if (v.kind() == Value::Kind::Ref) return element_value(context, v, 0);
  if (v.kind() != Value::Kind::Refs) return v;
  RealBuffer numbers(v.ref_data().size());
  for (std::uint32_t k = 0; k < numbers.size(); ++k) numbers[k] = element_value(context, v, k);
  return Value::reals(v.shape(), std::move(numbers));
}

Value to_reals(const Value& v) {
  if (v.kind() == Value::Kind::Int) return static_cast<double>(v.as_int());
  if (v.kind() != Value::Kind::Ints) return v;
  RealBuffer numbers(v.int_data().size());
  std::ranges::copy(v.int_data(), numbers.data());
  return Value::reals(v.shape(), std::move(numbers));
}

std::uint32_t scalar_count(const Value& v) {
  return v.kind() == Value::Kind::Tuple ? 1 : v.shape().scalars();
}

std::uint32_t size_argument(std::string_view name, std::string_view label, Args args, std::size_t i) {
  const std::int32_t n = int_argument(name, args, i);
  if (n < 0) throw ad::DomainError(fmt::format("{}: {} is {}, but must be nonnegative!", name, label, n));
  return static_cast<std::uint32_t>(n);
}

std::uint32_t index_argument(std::string_view name, std::string_view label, Args args, std::size_t i,
                             std::uint32_t limit) {
  const std::int32_t n = int_argument(name, args, i);
  if (n < 1 || static_cast<std::uint32_t>(n) > limit)
    throw ad::IndexError(fmt::format("{}: {} is {}, but must be between 1 and {}", name, label, n, limit));
  return static_cast<std::uint32_t>(n);
}

}  // namespace fermiac::interp
