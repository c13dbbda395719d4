// Declarations, data variables, checks of sizes.
#include <fmt/format.h>

#include <limits>

#include "interp/exec/lowering/compiler.h"
#include "interp/value/declare.h"
#include "interp/value/numbers.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {

namespace {

std::uint32_t size(const ExprPtr& node, Frame& f) {
  return declared_size(node->eval_int(f));
}

/// Rows and columns of the element; those that its type does not have are 1.
std::pair<std::uint32_t, std::uint32_t> element_sizes(BaseType base, const std::vector<ExprPtr>& sizes, Frame& f) {
  if (sizes.empty()) return {1, 1};
  const std::uint32_t first = size(sizes[0], f);
  if (sizes.size() == 2) return {first, size(sizes[1], f)};
  const bool row = base == BaseType::RowVector || base == BaseType::ComplexRowVector;
  return row ? std::pair{1u, first} : std::pair{first, 1u};
}

Value default_scalar(const Type& type) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (type.is(BaseType::Int)) return std::numeric_limits<std::int32_t>::min();
  if (type.is(BaseType::Real)) return kNaN;
  if (type.is(BaseType::Complex)) return Value::complex(kNaN, kNaN);
  return {};
}

}  // namespace

Shape SizedNode::shape(Frame& f) const {
  std::vector<std::uint32_t> dims;
  for (const ExprPtr& dim : array_dims) dims.push_back(size(dim, f));
  const auto [rows, cols] = element_sizes(base, sizes, f);
  return declared_shape(base, dims, rows, cols);
}

ExpectedType SizedNode::expected(Frame& f) const {
  const Shape s = shape(f);
  ExpectedType out{.base = base, .array_dims = {}, .rows = s.rows, .cols = s.cols, .slots = {}};
  out.array_dims.assign(s.array_dims.begin(), s.array_dims.begin() + s.rank);
  for (const SizedNode& slot : slots) out.slots.push_back(slot.expected(f));
  return out;
}

Value SizedNode::make(Frame& f) const {
  if (array_dims.empty() && base == BaseType::Int) return std::numeric_limits<std::int32_t>::min();
  if (array_dims.empty() && base == BaseType::Real) return std::numeric_limits<double>::quiet_NaN();
  const Shape s = shape(f);
  if (base != BaseType::Tuple) return unset_value(base, s);
  std::vector<Value> parts;
  for (const SizedNode& slot : slots) parts.push_back(slot.make(f));
  Value tuple = Value::tuple(std::move(parts));
  if (array_dims.empty()) return tuple;
  return Value::tuples(s, filled(s.count(), tuple));
}

namespace {

// ---------------------------------------------------------------- declarations

struct Declare final : StmtNode {
  Declare(Site s, std::size_t to, SizedNode t) : StmtNode(s), slot(to), type(std::move(t)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    f.slots[slot] = type.make(f);
    return Flow::Next;
  }
  std::size_t slot;
  SizedNode type;
};

struct DeclareUnsized final : StmtNode {
  DeclareUnsized(Site s, std::size_t to, const Type& t) : StmtNode(s), slot(to), initial(default_scalar(t)) {}
  Flow run(Frame& f) const override {
    f.slots[slot] = initial;
    return Flow::Next;
  }
  std::size_t slot;
  Value initial;
};

/// A declaration and the assignment right after it: the container is not filled first.
struct DeclareInitialised final : StmtNode {
  DeclareInitialised(Site s, std::size_t to, std::string n, SizedNode t, ExprPtr v)
      : StmtNode(s), slot(to), name(std::move(n)), type(std::move(t)), value(std::move(v)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const Shape declared = type.shape(f);
    Value v = value->eval(f);
    check_declared(name, declared, v);
    f.slots[slot] = std::move(v);
    return Flow::Next;
  }
  std::size_t slot;
  std::string name;
  SizedNode type;
  ExprPtr value;
};

struct DeclareData final : StmtNode {
  DeclareData(Site s, std::size_t to, std::string n, SizedNode t)
      : StmtNode(s), slot(to), name(std::move(n)), type(std::move(t)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    FERMIAC_CHECK(f.m.data, "data are bound before anything runs");
    f.slots[slot] = f.m.overlay ? f.m.overlay->read(*f.m.data, name, type.expected(f)) : f.m.data->read(name, type.expected(f));
    return Flow::Next;
  }
  std::size_t slot;
  std::string name;
  SizedNode type;
};

// ---------------------------------------------------------------- checks of sizes

struct SizeCheck final : StmtNode {
  SizeCheck(Site s, mir::Internal k, std::string n, std::string t, std::string_view w, ExprPtr e)
      : StmtNode(s), kind(k), name(std::move(n)), text(std::move(t)), type(w), value(std::move(e)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const std::int32_t n = value->eval_int(f);
    const std::int32_t least = kind == mir::Internal::FnValidateSizePositive     ? 1
                               : kind == mir::Internal::FnValidateSizeUnitVector ? 2
                                                                                 : 0;
    if (n < least) fail_size(least, name, text, n, type);
    return Flow::Next;
  }
  mir::Internal kind;
  std::string name, text;
  std::string_view type;  // a keyword, or empty
  ExprPtr value;
};

/// check_matching_dims: a container bound has the sizes of its variable.
struct ShapeCheck final : StmtNode {
  ShapeCheck(Site s, std::string n, std::string r, ExprPtr v, ExprPtr b)
      : StmtNode(s), name(std::move(n)), role(std::move(r)), value(std::move(v)), bound(std::move(b)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const Borrowed v(*value, f);
    const Borrowed b(*bound, f);
    if (v->shape() == b->shape()) return Flow::Next;
    throw ad::SizeError(fmt::format("constraint: {} is {}, but its {} is {}; they must have the same sizes", name,
                                    shape_text(*v), role, shape_text(*b)));
  }
  std::string name, role;
  ExprPtr value, bound;
};

/// check_greater_or_equal of two ints.
struct OrderCheck final : StmtNode {
  OrderCheck(Site s, std::string w, std::string l, ExprPtr v, ExprPtr b)
      : StmtNode(s), what(std::move(w)), label(std::move(l)), value(std::move(v)), least(std::move(b)) {}
  Flow run(Frame& f) const override {
    f.at(site);
    const std::int32_t v = value->eval_int(f);
    const std::int32_t b = least->eval_int(f);
    if (v >= b) return Flow::Next;
    throw ad::SizeError(fmt::format("{}: {} is {}, but must be greater than or equal to {}", what, label, v, b));
  }
  std::string what, label;
  ExprPtr value, least;
};

}  // namespace

StmtPtr make_declaration(Site site, std::size_t slot, SizedNode type) {
  return std::make_unique<Declare>(site, slot, std::move(type));
}
StmtPtr make_unsized_declaration(Site site, std::size_t slot, const Type& type) {
  return std::make_unique<DeclareUnsized>(site, slot, type);
}
StmtPtr make_initialised_declaration(Site site, std::size_t slot, std::string name, SizedNode type, ExprPtr value) {
  return std::make_unique<DeclareInitialised>(site, slot, std::move(name), std::move(type), std::move(value));
}
StmtPtr make_data_declaration(Site site, std::size_t slot, std::string name, SizedNode type) {
  return std::make_unique<DeclareData>(site, slot, std::move(name), std::move(type));
}
StmtPtr make_size_check(Site site, mir::Internal kind, std::string name, std::string text, std::string_view type, ExprPtr size) {
  return std::make_unique<SizeCheck>(site, kind, std::move(name), std::move(text), type, std::move(size));
}
StmtPtr make_shape_check(Site site, std::string name, std::string role, ExprPtr value, ExprPtr bound) {
  return std::make_unique<ShapeCheck>(site, std::move(name), std::move(role), std::move(value), std::move(bound));
}
StmtPtr make_order_check(Site site, std::string what, std::string label, ExprPtr value, ExprPtr least) {
  return std::make_unique<OrderCheck>(site, std::move(what), std::move(label), std::move(value), std::move(least));
}

}  // namespace fermiac::interp
