// The part of a container that a list of indexes names, and reading and writing it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interp/value/value.h"
#include "mir/ir/ir.h"

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

/// An index from 1 as an offset from 0.
inline std::uint32_t checked_index(std::string_view name, std::int32_t index, std::uint32_t size) {
  const std::uint32_t at = static_cast<std::uint32_t>(index) - 1;
  if (at >= size) [[unlikely]] index_error(name, index, size);
  return at;
}
/// Elements of a vector or row vector: its other size is 1.
inline std::uint32_t vector_length(const Shape& shape) { return shape.rows * shape.cols; }
/// The element of a vector or of an array of scalars.
inline std::uint32_t scalar_offset(std::string_view name, const Shape& shape, std::int32_t i) {
  return checked_index(name, i, shape.rank == 1 ? shape.array_dims[0] : vector_length(shape));
}
/// The element of a matrix, of an array of vectors, of a nested array.
inline std::uint32_t scalar_offset(std::string_view name, const Shape& shape, std::int32_t i, std::int32_t j) {
  if (shape.rank == 0) {
    const std::uint32_t row = checked_index(name, i, shape.rows);
    return checked_index(name, j, shape.cols) * shape.rows + row;  // column-major
  }
  const std::uint32_t outer = checked_index(name, i, shape.array_dims[0]);
  const std::uint32_t size = shape.rank == 2 ? shape.array_dims[1] : vector_length(shape);
  return outer * size + checked_index(name, j, size);
}
/// Offset of the scalar that `count` single indexes (one per dimension) name.
inline std::uint32_t scalar_offset(std::string_view name, const Shape& shape, const std::int32_t* index, int count) {
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
  step(vector_length(shape), index[used]);
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

/// One step on the way into a container that is assigned to: indexes, or a slot of a tuple (from 1).
struct PathStep {
  int slot = 0;
  std::vector<Position> at;
};
/// What a step that is not the last leads to: a tuple, or what lies in one of its slots.
Value& step_into(std::string_view name, Value& container, const PathStep& step);
/// Assigns behind the last step.
void assign_step(std::string_view name, Value& to, const PathStep& step, const Value& value, ad::Recorder* recorder);

/// Throws SizeError when `value` does not have the part's shape. `recorder` turns numbers into references where needed.
void write(std::string_view name, Value& container, const Selection& part, const Value& value, ad::Recorder* recorder);
void write_scalar(Value& container, std::uint32_t offset, const Value& value, ad::Recorder* recorder);

}  // namespace fermiac::interp
