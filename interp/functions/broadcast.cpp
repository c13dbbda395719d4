#include "interp/functions/broadcast.h"

#include <fmt/format.h>

#include <array>

#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Inner;

struct Dims {
  std::array<std::uint32_t, Shape::kMaxRank + 2> d{};
  int rank = 0;
  friend bool operator==(const Dims&, const Dims&) = default;
};

Dims dims_of(const Shape& s) {
  Dims dims;
  for (int i = 0; i < s.rank; ++i) dims.d[dims.rank++] = s.array_dims[i];
  if (s.inner == Inner::Vector || s.inner == Inner::Matrix) dims.d[dims.rank++] = s.rows;
  if (s.inner == Inner::RowVector || s.inner == Inner::Matrix) dims.d[dims.rank++] = s.cols;
  return dims;
}

[[noreturn]] void sizes_differ(std::string_view name, std::size_t i, const Shape& a, std::size_t j, const Shape& b) {
  throw ad::SizeError(fmt::format("{}: arguments {} and {} must have the same size, but they are {} and {}", name,
                                  i + 1, j + 1, a.str(), b.str()));
}

/// Containers must have equal dimensions; the result is shaped as the one that is not just a nested array.
Broadcast elementwise(std::string_view name, Args args) {
  Broadcast b;
  std::size_t first = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Shape s = args[i].shape();
    if (s.is_scalar()) continue;
    if (!b.scalar && dims_of(s) != dims_of(b.shape)) sizes_differ(name, first, args[first].shape(), i, s);
    if (b.scalar || b.shape.inner == Inner::Scalar) b = {s, s.size(), false}, first = i;
  }
  return b;
}

/// A density only needs as many elements everywhere.
Broadcast by_number(std::string_view name, Args args) {
  Broadcast b;
  std::size_t first = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Shape s = args[i].shape();
    if (s.is_scalar()) continue;
    if (!b.scalar && s.size() != b.n) sizes_differ(name, first, args[first].shape(), i, s);
    if (b.scalar) b = {s, s.size(), false}, first = i;
  }
  return b;
}

}  // namespace

Broadcast broadcast(const ad::MapOp& op, Args args) {
  return op.density || op.product ? by_number(op.name, args) : elementwise(op.name, args);
}

Value to_column_major(const CallContext& context, const Value& v, const Shape& matrices) {
  const std::uint32_t block = matrices.inner_size();
  CallContext here = context;
  return pick(here, matrices, {&v, 1}, positions(scalar_count(v), [&](std::uint32_t k) {
                const std::uint32_t in = k % block;
                return k - in + (in % matrices.rows) * matrices.cols + in / matrices.rows;
              }));
}

Shape elementwise_shape(std::string_view name, Args args) {
  return elementwise(name, args).shape;
}

}  // namespace fermiac::interp
