// Typed values of oracle cases as Stan source and as data.
#include <fmt/format.h>

#include "tests/conformance/oracle.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck {

using oracle::Json;

std::string declaration(const Json& typed, const std::string& name) {
  const Value v = oracle::to_value(typed);
  const Shape s = v.shape();
  std::string dims;
  for (int k = 0; k < s.rank; ++k) dims += fmt::format("{}{}", k > 0 ? ", " : "", s.array_dims[static_cast<std::size_t>(k)]);
  std::string type = oracle::text_of(typed, "type");
  if (s.rank > 0) type = fmt::format("array[{}]{}", dims, type.substr(type.find(']') + 1));
  if (s.inner == ad::Inner::Matrix) return fmt::format("{}[{}, {}] {}", type, s.rows, s.cols, name);
  return s.inner == ad::Inner::Scalar ? fmt::format("{} {}", type, name)
                                      : fmt::format("{}[{}] {}", type, s.rows * s.cols, name);
}

}  // namespace fermiac::selfcheck
