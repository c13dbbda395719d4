#include "interp/value/selection.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "autodiff/tape/record/recorder.h"
#include "interp/value/numbers.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {

using IndexKind = mir::Index::Kind;
using ValueKind = Value::Kind;
using ad::Inner;

void index_error(std::string_view name, std::int64_t index, std::int64_t size) {
  if (size == 0) throw ad::IndexError(fmt::format("accessing element {} of {}, which is empty", index, name));
  throw ad::IndexError(fmt::format(
      "{}: accessing element out of range. index {} out of range; expecting index to be between 1 and {}", name, index,
      size));
}

namespace {

/// One dimension of the container with what an index leaves of it.
struct Axis {
  std::uint32_t stride = 1;
  std::uint32_t start = 0;                  // from 0
  std::uint32_t count = 0;
  const std::int32_t* list = nullptr;       // Multi: positions from 1
  bool single = false;
};

void check_index(std::string_view name, std::int32_t index, std::uint32_t size) {
  if (index < 1 || static_cast<std::uint32_t>(index) > size) index_error(name, index, size);
}

Axis between(std::string_view name, std::int32_t low, std::int32_t high, std::uint32_t size, std::uint32_t stride) {
  if (high < low) return {.stride = stride};
  check_index(name, low, size);
  check_index(name, high, size);
  return {.stride = stride, .start = static_cast<std::uint32_t>(low - 1),
          .count = static_cast<std::uint32_t>(high - low + 1)};
}

Axis axis(std::string_view name, const Position* at, std::uint32_t size, std::uint32_t stride) {
  if (at == nullptr) return {.stride = stride, .count = size};
  switch (at->kind) {
    case IndexKind::All: return {.stride = stride, .count = size};
    case IndexKind::Single:
      check_index(name, at->low, size);
      return {.stride = stride, .start = static_cast<std::uint32_t>(at->low - 1), .count = 1, .single = true};
    case IndexKind::Upfrom: return between(name, at->low, static_cast<std::int32_t>(size), size, stride);
    case IndexKind::Between: return between(name, at->low, at->high, size, stride);
    case IndexKind::Multi:
      for (const std::int32_t i : at->list.int_data()) check_index(name, i, size);
      return {.stride = stride, .count = static_cast<std::uint32_t>(at->list.int_data().size()),
              .list = at->list.int_data().data()};
  }
  return {};
}

void enumerate(std::span<const Axis> axes, std::uint32_t base, std::vector<std::uint32_t>& out) {
  if (axes.empty()) return out.push_back(base);
  const Axis& a = axes.front();
  for (std::uint32_t i = 0; i < a.count; ++i) {
    const std::uint32_t at = a.list ? static_cast<std::uint32_t>(a.list[i] - 1) : a.start + i;
    enumerate(axes.subspan(1), base + at * a.stride, out);
  }
}

bool is_contiguous(std::span<const Axis> axes) {
  std::uint32_t run = 1;
  for (std::size_t k = axes.size(); k-- > 0;) {
    const Axis& a = axes[k];
    if (a.list || (a.count != 1 && a.stride != run)) return false;
    run *= a.count;
  }
  return true;
}

Shape inner_shape(const Shape& of, const Axis& row, const Axis& col) {
  switch (of.inner) {
    case Inner::Scalar: return {};
    case Inner::Vector: return row.single ? Shape{} : Shape::vector(row.count);
    case Inner::RowVector: return col.single ? Shape{} : Shape::row_vector(col.count);
    case Inner::Matrix: break;
  }
  if (row.single && col.single) return {};
  if (row.single) return Shape::row_vector(col.count);
  return col.single ? Shape::vector(row.count) : Shape::matrix(row.count, col.count);
}

}  // namespace

Selection select(std::string_view name, const Shape& shape, std::span<const Position> at) {
  std::array<Axis, Shape::kMaxRank + 2> axes;  // outermost first; columns before rows
  std::size_t used = 0;
  const auto next = [&]() { return used < at.size() ? &at[used++] : nullptr; };
  std::uint32_t stride = shape.scalars();
  if (stride == 0) {  // strides of an empty container do not matter, its sizes do
    stride = 1;
  }
  for (int k = 0; k < shape.rank; ++k) {
    const std::uint32_t size = shape.array_dims[k];
    if (size > 0) stride /= size;
    axes[k] = axis(name, next(), size, stride);
  }
  const bool has_rows = shape.inner == Inner::Vector || shape.inner == Inner::Matrix;
  const bool has_cols = shape.inner == Inner::RowVector || shape.inner == Inner::Matrix;
  Axis row{.count = 1}, col{.count = 1};
  if (has_rows) row = axis(name, next(), shape.rows, 1);
  if (has_cols) col = axis(name, next(), shape.cols, shape.rows);
  axes[shape.rank] = col;
  axes[shape.rank + 1] = row;

  Selection part;
  part.shape = inner_shape(shape, row, col);
  part.shape.complex = shape.complex;
  for (int k = shape.rank; k-- > 0;)
    if (!axes[k].single) part.shape = Shape::array(axes[k].count, part.shape);
  const std::span<const Axis> all(axes.data(), shape.rank + 2u);
  part.contiguous = is_contiguous(all);
  if (part.contiguous) {
    for (const Axis& a : all) part.offset += a.start * a.stride;
  } else {
    const std::size_t n = part.shape.scalars();
    ad::memory_point(n * sizeof(std::uint32_t));
    part.offsets.reserve(n);
    enumerate(all, 0, part.offsets);
  }
  return part;
}

namespace {

/// Calls visit(i, source) for number i of the part; `width` numbers per scalar.
template <class Visit>
void each_number(const Selection& part, std::uint32_t width, Visit visit) {
  const std::uint32_t n = part.shape.scalars();
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t at = part.contiguous ? part.offset + i : part.offsets[i];
    for (std::uint32_t k = 0; k < width; ++k) visit(i * width + k, at * width + k);
  }
}

}  // namespace

Value read(const Value& container, const Selection& part) {
  const std::uint32_t width = part.shape.complex ? 2 : 1;
  const std::uint32_t n = part.shape.size();
  switch (container.kind()) {
    case ValueKind::Ints: {
      std::vector<std::int32_t> out = filled<std::int32_t>(n);
      each_number(part, 1, [&](std::uint32_t i, std::uint32_t at) { out[i] = container.int_data()[at]; });
      return Value::ints(part.shape, std::move(out));
    }
    case ValueKind::Reals: {
      RealBuffer out(n);
      const double* from = container.real_data().data();
      if (part.contiguous && n > 0) {
        std::memcpy(out.data(), from + std::size_t{part.offset} * width, n * sizeof(double));
        return Value::reals(part.shape, std::move(out));
      }
      each_number(part, width, [&](std::uint32_t i, std::uint32_t at) { out[i] = from[at]; });
      return Value::reals(part.shape, std::move(out));
    }
    case ValueKind::Refs: {
      std::vector<ad::Ref> out = filled<ad::Ref>(n);
      each_number(part, width, [&](std::uint32_t i, std::uint32_t at) { out[i] = container.ref_data()[at]; });
      return Value::refs(part.shape, std::move(out));
    }
    case ValueKind::Tuples: {
      if (part.shape.is_scalar()) return container.values()[part.contiguous ? part.offset : part.offsets[0]];
      std::vector<Value> out = filled<Value>(n);
      each_number(part, 1, [&](std::uint32_t i, std::uint32_t at) { out[i] = container.values()[at]; });
      return Value::tuples(part.shape, std::move(out));
    }
    default: FERMIAC_CHECK(false, "only containers are indexed");
  }
}

Value read_scalar(const Value& container, std::uint32_t offset) {
  switch (container.kind()) {
    case ValueKind::Ints: return container.int_data()[offset];
    case ValueKind::Reals:
      if (!container.shape().complex) return container.real_data()[offset];
      return Value::complex(container.real_data()[2 * offset], container.real_data()[2 * offset + 1]);
    case ValueKind::Refs:
      if (!container.shape().complex) return Value::reference(container.ref_data()[offset]);
      return Value::refs(Shape{.complex = true}, {container.ref_data()[2 * offset], container.ref_data()[2 * offset + 1]});
    case ValueKind::Tuples: return container.values()[offset];
    default: FERMIAC_CHECK(false, "only containers are indexed");
  }
}

namespace {

/// Number i of a scalar or container of plain numbers.
double number_at(const Value& value, std::uint32_t i) {
  switch (value.kind()) {
    case ValueKind::Ints: return value.int_data()[i];
    case ValueKind::Reals: return value.real_data()[i];
    default: return number(value);
  }
}

bool carries_refs(const Value& v) {
  return v.kind() == ValueKind::Ref || v.kind() == ValueKind::Refs;
}

void write_refs(Value& container, const Selection& part, std::uint32_t width, const Value& value, ad::Recorder* recorder) {
  FERMIAC_CHECK(recorder, "references exist only while recording");
  if (container.kind() == ValueKind::Reals || container.kind() == ValueKind::Ints) container = to_refs(*recorder, container);
  const std::span<ad::Ref> to = container.mutable_refs();
  each_number(part, width, [&](std::uint32_t i, std::uint32_t at) {
    if (value.kind() == ValueKind::Refs) to[at] = value.ref_data()[i];
    else to[at] = carries_refs(value) ? value.as_ref() : recorder->constant(number_at(value, i));
  });
}

}  // namespace

void write(std::string_view name, Value& container, const Selection& part, const Value& value, ad::Recorder* recorder) {
  if (!(value.kind() == ValueKind::Tuple) && value.shape() != part.shape)
    throw ad::SizeError(fmt::format("assigning variable {}: the indexed part is {}, but the assigned value is {}", name,
                                    part.shape.str(), shape_text(value)));
  const std::uint32_t width = part.shape.complex ? 2 : 1;
  if (container.kind() == ValueKind::Tuples) {
    const bool one = value.kind() == ValueKind::Tuple;
    const std::span<Value> to = container.mutable_values();
    each_number(part, 1, [&](std::uint32_t i, std::uint32_t at) { to[at] = one ? value : value.values()[i]; });
  } else if (container.kind() == ValueKind::Ints && !carries_refs(value)) {
    const std::span<std::int32_t> to = container.mutable_ints();
    const bool one = value.kind() == ValueKind::Int;
    each_number(part, 1, [&](std::uint32_t i, std::uint32_t at) { to[at] = one ? value.as_int() : value.int_data()[i]; });
  } else if (container.kind() == ValueKind::Refs || carries_refs(value)) {
    write_refs(container, part, width, value, recorder);
  } else {
    double* to = container.mutable_reals().data();
    if (part.contiguous && value.kind() == ValueKind::Reals) {
      if (part.shape.size() > 0)
        std::memcpy(to + std::size_t{part.offset} * width, value.real_data().data(), part.shape.size() * sizeof(double));
      return;
    }
    each_number(part, width, [&](std::uint32_t i, std::uint32_t at) { to[at] = number_at(value, i); });
  }
}

void write_scalar(Value& container, std::uint32_t offset, const Value& value, ad::Recorder* recorder) {
  if (container.kind() == ValueKind::Reals && !container.shape().complex && !carries_refs(value)) {
    container.mutable_reals()[offset] = number(value);
  } else if (container.kind() == ValueKind::Ints && !carries_refs(value)) {
    container.mutable_ints()[offset] = value.as_int();
  } else if (container.kind() == ValueKind::Refs && !container.shape().complex) {
    container.mutable_refs()[offset] = to_ref(*recorder, value);
  } else {
    const Selection part{.shape = value.kind() == ValueKind::Tuple ? Shape{} : value.shape(), .contiguous = true,
                         .offset = offset, .offsets = {}};
    write("an element", container, part, value, recorder);
  }
}

Value& step_into(std::string_view name, Value& container, const PathStep& step) {
  if (step.slot > 0) return container.mutable_values()[static_cast<std::size_t>(step.slot) - 1];
  const Selection part = select(name, container.shape(), step.at);
  FERMIAC_CHECK(container.kind() == ValueKind::Tuples && part.shape.is_scalar(), "a slot belongs to one tuple");
  return container.mutable_values()[part.contiguous ? part.offset : part.offsets[0]];
}

void assign_step(std::string_view name, Value& to, const PathStep& step, const Value& value, ad::Recorder* recorder) {
  if (step.slot == 0) return write(name, to, select(name, to.shape(), step.at), value, recorder);
  Value& into = to.mutable_values()[static_cast<std::size_t>(step.slot) - 1];
  check_assignable(name, into, value);
  into = value;
}

}  // namespace fermiac::interp
