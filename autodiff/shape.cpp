#include "autodiff/shape.h"

#include <fmt/format.h>

#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::ad {

Shape Shape::array(std::uint32_t n, Shape element) {
  if (element.rank >= kMaxRank) throw SizeError(fmt::format("arrays have at most {} dimensions", kMaxRank));
  for (int i = element.rank; i > 0; --i) element.array_dims[i] = element.array_dims[i - 1];
  element.array_dims[0] = n;
  ++element.rank;
  return element;
}

std::uint64_t Shape::array_product() const {
  std::uint64_t n = 1;
  for (int i = 0; i < rank; ++i) n = saturated_product({n, array_dims[i]});
  return n;
}

void Shape::too_large() const {
  throw SizeError(fmt::format("{} is too large: a value has at most {} numbers", str(), kMaxNumbers));
}

std::uint32_t checked_count(std::uint64_t n, std::string_view what) {
  if (n > kMaxNumbers) throw SizeError(fmt::format("{} would have more than {} numbers", what, kMaxNumbers));
  return static_cast<std::uint32_t>(n);
}

Shape Shape::element() const {
  FERMIAC_CHECK(rank > 0, "only arrays have elements");
  Shape s = *this;
  for (int i = 0; i + 1 < rank; ++i) s.array_dims[i] = array_dims[i + 1];
  s.array_dims[--s.rank] = 0;
  return s;
}

std::string Shape::str() const {
  std::string text;
  if (rank > 0) {
    text = "array[";
    for (int i = 0; i < rank; ++i) text += fmt::format("{}{}", i ? ", " : "", array_dims[i]);
    text += "] ";
  }
  const char* prefix = complex ? "complex_" : "";
  switch (inner) {
    case Inner::Scalar: return text + (complex ? "complex" : "real");
    case Inner::Vector: return text + fmt::format("{}vector[{}]", prefix, rows);
    case Inner::RowVector: return text + fmt::format("{}row_vector[{}]", prefix, cols);
    case Inner::Matrix: return text + fmt::format("{}matrix[{}, {}]", prefix, rows, cols);
  }
  return text;
}

}  // namespace fermiac::ad
