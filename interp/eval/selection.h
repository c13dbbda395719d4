// The part of a container that a list of indexes names, and reading and writing it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interp/value/value.h"
#include "mir/ir.h"

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

/// One evaluated index.
struct Position {
  mir::Index::Kind kind = mir::Index::Kind::All;
  std::int32_t low = 1;    // Single, Upfrom, Between
  std::int32_t high = 0;   // Between
  Value list;              // Multi: array of int
};

/// Offsets count scalars (a complex number is one) in the container's layout.
struct Selection {
  Shape shape;                          // of the part
  bool contiguous = false;              // the part is [offset, offset + shape.scalars())
  std::uint32_t offset = 0;
  std::vector<std::uint32_t> offsets;   // otherwise
};

[[noreturn]] void index_error(std::string_view name, std::int64_t index, std::int64_t size);

/// Offset of the scalar that `count` single indexes (one per dimension) name.
inline std::uint32_t scalar_offset(std::string_view name, const Shape& shape, const std::int32_t* index, int count) {
  if (count == 1) {  // the elements of a vector or of an array of scalars
    const std::uint32_t size = shape.rank == 1 ? shape.array_dims[0] : shape.rows * shape.cols;
    if (index[0] < 1 || static_cast<std::uint32_t>(index[0]) > size) index_error(name, index[0], size);
    return static_cast<std::uint32_t>(index[0] - 1);
  }
  std::uint32_t offset = 0;
  const auto step = [&](std::uint32_t size, std::int32_t i) {
    if (i < 1 || static_cast<std::uint32_t>(i) > size) index_error(name, i, size);
    offset = offset * size + static_cast<std::uint32_t>(i - 1);
  };
  int used = 0;
  for (; used < shape.rank && used < count; ++used) step(shape.array_dims[used], index[used]);
  if (used == count) return offset;
  if (shape.inner == ad::Inner::Matrix) {  // column-major
    const std::int32_t row = index[used];
    if (row < 1 || static_cast<std::uint32_t>(row) > shape.rows) index_error(name, row, shape.rows);
    step(shape.cols, index[used + 1]);
    return offset * shape.rows + static_cast<std::uint32_t>(row - 1);
  }
  step(shape.inner_size(), index[used]);
  return offset;
}

/// The element that `count` single indexes into array dimensions name (count <= rank).
inline Selection select_element(std::string_view name, const Shape& shape, const std::int32_t* index, int count) {
  Selection part;
  part.shape = shape;
  part.shape.rank = static_cast<std::uint8_t>(shape.rank - count);
  part.shape.array_dims = {};
  for (int k = 0; k < part.shape.rank; ++k) part.shape.array_dims[k] = shape.array_dims[k + count];
  part.contiguous = true;
  for (int k = 0; k < count; ++k) {
    const std::uint32_t size = shape.array_dims[k];
    if (index[k] < 1 || static_cast<std::uint32_t>(index[k]) > size) index_error(name, index[k], size);
    part.offset = part.offset * size + static_cast<std::uint32_t>(index[k] - 1);
  }
  part.offset *= part.shape.scalars();
  return part;
}

/// Throws IndexError when an index is out of range. `name` is what messages call the container.
Selection select(std::string_view name, const Shape& shape, std::span<const Position> at);

Value read(const Value& container, const Selection& part);
/// One scalar of a numeric container, at an offset of scalar_offset.
Value read_scalar(const Value& container, std::uint32_t offset);

/// Throws SizeError when `value` does not have the part's shape. `recorder` turns numbers into references where needed.
void write(std::string_view name, Value& container, const Selection& part, const Value& value, ad::Recorder* recorder);
void write_scalar(Value& container, std::uint32_t offset, const Value& value, ad::Recorder* recorder);

}  // namespace fermiac::interp
