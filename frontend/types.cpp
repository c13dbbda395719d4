#include "frontend/types.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "support/base/check.h"

namespace fermiac {
namespace {

constexpr std::array<std::string_view, 13> kBaseNames = {"int",
                                                         "real",
                                                         "vector",
                                                         "complex",
                                                         "row_vector",
                                                         "matrix",
                                                         "complex_vector",
                                                         "complex_row_vector",
                                                         "complex_matrix",
                                                         "tuple",
                                                         "function",
                                                         "void",
                                                         "<error>"};

std::string join(const std::vector<std::string>& parts) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

std::string tuple_str(const std::vector<Type>& slots) {
  std::vector<std::string> parts;
  for (const auto& slot : slots) parts.push_back(slot.str());
  return "tuple(" + join(parts) + ")";
}

std::string function_str(const FunctionType& function) {
  std::vector<std::string> parts;
  for (const auto& formal : function.formals) parts.push_back((formal.data_only ? "data " : "") + formal.type.str());
  return "(" + join(parts) + ") => " + function.result.str();
}

}  // namespace

Type Type::tuple(std::vector<Type> slots) {
  Type type(BaseType::Tuple);
  type.slots_ = std::make_shared<const std::vector<Type>>(std::move(slots));
  return type;
}

Type Type::function(FunctionType signature) {
  Type type(BaseType::Function);
  type.function_ = std::make_shared<const FunctionType>(std::move(signature));
  return type;
}

Type Type::with_array_dims(int dims) const {
  FERMIAC_CHECK(dims >= 0 && dims < 256, "a type with a negative or absurd number of array dimensions");
  Type type = *this;
  type.array_dims_ = static_cast<std::uint8_t>(dims);
  return type;
}

bool Type::is_discrete() const {
  if (base_ == BaseType::Int) return true;
  return base_ == BaseType::Tuple && std::ranges::all_of(*slots_, [](const Type& slot) { return slot.is_discrete(); });
}

std::string Type::str() const {
  std::string element = base_ == BaseType::Tuple      ? tuple_str(*slots_)
                        : base_ == BaseType::Function ? function_str(*function_)
                                                      : std::string(kBaseNames[static_cast<std::size_t>(base_)]);
  if (array_dims_ == 0) return element;
  return "array[" + std::string(static_cast<std::size_t>(array_dims_ - 1), ',') + "] " + element;
}

bool operator==(const Type& a, const Type& b) {
  if (a.base_ != b.base_ || a.array_dims_ != b.array_dims_) return false;
  if (a.base_ == BaseType::Tuple) return a.slots_ == b.slots_ || *a.slots_ == *b.slots_;
  if (a.base_ == BaseType::Function) return a.function_ == b.function_ || *a.function_ == *b.function_;
  return true;
}

bool AdLevel::any() const {
  return autodiff || std::ranges::any_of(slots, [](const AdLevel& slot) { return slot.any(); });
}

}  // namespace fermiac
