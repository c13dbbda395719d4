#include "frontend/ast/ast.h"

namespace fermiac::ast {

Type DeclaredType::type() const {
  const auto dims = static_cast<std::uint8_t>(array_dims);
  if (base != BaseType::Tuple) return Type(base, dims);
  std::vector<Type> types;
  for (const DeclaredType& slot : slots) types.push_back(slot.type());
  return Type::tuple(std::move(types)).with_array_dims(dims);
}

}  // namespace fermiac::ast
