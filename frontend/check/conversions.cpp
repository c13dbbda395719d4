#include "frontend/check/conversions.h"

#include <algorithm>

namespace fermiac::check {
namespace {

struct Promotion {
  BaseType from, to;
  int cost;
};
constexpr Promotion kPromotions[] = {
    {BaseType::Int, BaseType::Real, 1},
    {BaseType::Real, BaseType::Complex, 1},
    {BaseType::Int, BaseType::Complex, 2},
    {BaseType::Vector, BaseType::ComplexVector, 1},
    {BaseType::RowVector, BaseType::ComplexRowVector, 1},
    {BaseType::Matrix, BaseType::ComplexMatrix, 1},
};

std::optional<int> tuple_cost(const std::vector<Type>& from, const std::vector<Type>& to) {
  if (from.size() != to.size()) return std::nullopt;
  int sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto cost = conversion_cost(from[i], to[i]);
    if (!cost) return std::nullopt;
    sum += *cost;
  }
  return sum;
}

bool same_shape(const Type& a, const Type& b) {
  return a.array_dims() == b.array_dims() && a.base() == BaseType::Tuple && b.base() == BaseType::Tuple &&
         a.slots().size() == b.slots().size();
}

}  // namespace

std::optional<int> conversion_cost(const Type& from, const Type& to) {
  if (from.is_error() || to.is_error()) return 0;
  if (from.array_dims() != to.array_dims()) return std::nullopt;
  if (from.base() == BaseType::Tuple && to.base() == BaseType::Tuple) return tuple_cost(from.slots(), to.slots());
  if (is_function(from) || is_void(from)) return std::nullopt;
  if (from.base() == to.base()) return 0;
  for (const auto& row : kPromotions)
    if (row.from == from.base() && row.to == to.base()) return row.cost;
  return std::nullopt;
}

std::optional<Type> common_type(const Type& a, const Type& b) {
  if (a.is_error()) return b;
  if (converts(a, b)) return b;
  if (converts(b, a)) return a;
  if (!same_shape(a, b)) return std::nullopt;
  std::vector<Type> slots;
  for (std::size_t i = 0; i < a.slots().size(); ++i) {
    auto slot = common_type(a.slots()[i], b.slots()[i]);
    if (!slot) return std::nullopt;
    slots.push_back(*slot);
  }
  return Type::tuple(std::move(slots)).with_array_dims(a.array_dims());
}

std::string_view explicit_conversion(const Type& from, const Type& to) {
  const auto vector = [](const Type& type) { return type.is(BaseType::Vector) || type.is(BaseType::RowVector); };
  const bool list = is_number(from.base()) && from.array_dims() == 1;
  if (to.is(BaseType::Int) && from.is(BaseType::Real)) return "to_int";
  if (to.is(BaseType::Real) && from.is(BaseType::Complex)) return "get_real";
  if (to.is(BaseType::Vector) && (list || vector(from) || from.is(BaseType::Matrix))) return "to_vector";
  if (to.is(BaseType::RowVector) && (list || vector(from) || from.is(BaseType::Matrix))) return "to_row_vector";
  const bool rows = (is_number(from.base()) && from.array_dims() == 2) ||
                    (from.base() == BaseType::RowVector && from.array_dims() == 1);
  if (to.is(BaseType::Matrix) && (rows || vector(from))) return "to_matrix";
  if (to == Type(BaseType::Real, 1) && (vector(from) || from.is(BaseType::Matrix))) return "to_array_1d";
  if (to == Type(BaseType::Real, 2) && from.is(BaseType::Matrix)) return "to_array_2d";
  return "";
}

AdLevel level_of(const Type& type, bool autodiff) {
  AdLevel out;
  if (type.base() == BaseType::Tuple) {
    for (const auto& slot : type.slots()) out.slots.push_back(level_of(slot, autodiff));
    return out;
  }
  out.autodiff = autodiff && !type.is_discrete();
  return out;
}

AdLevel join(const AdLevel& a, const AdLevel& b) {
  AdLevel out{a.autodiff || b.autodiff, a.slots};
  if (out.slots.empty()) out.slots = b.slots;
  for (std::size_t i = 0; i < std::min(a.slots.size(), b.slots.size()); ++i)
    out.slots[i] = join(a.slots[i], b.slots[i]);
  return out;
}

bool same_types(std::span<const Formal> a, std::span<const Formal> b) {
  return std::ranges::equal(a, b, {}, &Formal::type, &Formal::type);
}

bool is_void(const Type& type) {
  return type.base() == BaseType::Void;
}
bool is_function(const Type& type) {
  return type.base() == BaseType::Function;
}

bool contains_int(const Type& type) {
  if (type.base() == BaseType::Tuple) return std::ranges::any_of(type.slots(), contains_int);
  return type.base() == BaseType::Int;
}

}  // namespace fermiac::check
