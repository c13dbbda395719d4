// Variables, literals of containers, indexing, slots of tuples, conversions.
#include <fmt/format.h>

#include <array>

#include "autodiff/tape/record/recorder.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/nodes/operands.h"
#include "interp/value/declare.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ValueKind = Value::Kind;
using IndexKind = mir::Index::Kind;

struct Variable final : ExprNode {
  explicit Variable(const Compiler::Variable& v) : ExprNode(v.type, v.may_ref), slot(v.slot) {}
  Value eval(Frame& f) const override { return f.slots[slot]; }
  std::int32_t eval_int(Frame& f) const override { return f.slots[slot].as_int(); }
  double eval_real(Frame& f) const override { return number(f.slots[slot]); }
  const Value* peek(Frame& f) const override { return &f.slots[slot]; }
  std::optional<AffineInt> affine() const override {
    return is_int() ? std::optional(AffineInt{slot, 0}) : std::nullopt;
  }
  std::size_t variable_slot() const override { return slot; }
  std::size_t slot;
};

struct Promotion final : ExprNode {
  Promotion(const Type& t, Type s, ExprPtr x) : ExprNode(t, x->may_ref), scalar(std::move(s)), operand(std::move(x)) {}
  Value eval(Frame& f) const override {
    return promoted(operand->eval(f), scalar, f.recording ? f.m.recorder : nullptr);
  }
  Type scalar;
  ExprPtr operand;
};

/// A conversion that changes nothing but the static type: real to real, as `return` inserts it.
struct SameType final : ExprNode {
  SameType(const Type& t, ExprPtr x) : ExprNode(t, x->may_ref), operand(std::move(x)) {}
  Value eval(Frame& f) const override { return operand->eval(f); }
  std::int32_t eval_int(Frame& f) const override { return operand->eval_int(f); }
  double eval_real(Frame& f) const override { return operand->eval_real(f); }
  const Value* peek(Frame& f) const override { return operand->peek(f); }
  std::size_t variable_slot() const override { return operand->variable_slot(); }
  const ElementAccess* element_access() const override { return operand->element_access(); }
  ExprPtr operand;
};

struct Projection final : ExprNode {
  Projection(const Type& t, ExprPtr x, int s) : ExprNode(t, x->may_ref && !t.is_discrete()), tuple(std::move(x)), slot(s - 1) {}
  Value eval(Frame& f) const override {
    const Borrowed value(*tuple, f);
    return value->values()[slot];
  }
  const Value* peek(Frame& f) const override {
    const Value* value = tuple->peek(f);
    return value ? &value->values()[slot] : nullptr;
  }
  ExprPtr tuple;
  std::size_t slot;
};

// ---------------------------------------------------------------- indexing

/// `x[i, j]` down to a scalar, all indexes single.
struct ScalarElement final : ExprNode {
  ScalarElement(const Type& t, std::string n, ExprPtr b, std::vector<ExprPtr> i)
      : ExprNode(t, b->may_ref && !t.is_discrete()), base(std::move(b)),
        access(base->variable_slot(), std::move(n), std::move(i)) {}

  /// The container: a variable's is read in place.
  template <class Read>
  auto with_base(Frame& f, Read read) const {
    if (access.in_slot()) return read(access.container(f));
    const Borrowed value(*base, f);
    return read(*value);
  }
  Value eval(Frame& f) const override {
    Value v = with_base(f, [&](const Value& x) { return read_scalar(x, access.offset(f, x.shape())); });
    if (is_ref(v) && v.as_ref().is_constant()) return f.m.recorder->value(v.as_ref());
    return v;
  }
  std::int32_t eval_int(Frame& f) const override {
    return with_base(f, [&](const Value& x) {
      const std::uint32_t at = access.offset(f, x.shape());
      return x.int_data()[at];
    });
  }
  double eval_real(Frame& f) const override {
    if (is_int()) return eval_int(f);
    return with_base(f, [&](const Value& x) {
      const std::uint32_t at = access.offset(f, x.shape());
      FERMIAC_CHECK(x.kind() == ValueKind::Reals, "a number read plainly carries no derivatives");
      return x.real_data()[at];
    });
  }
  const ElementAccess* element_access() const override { return access.in_slot() ? &access : nullptr; }
  ExprPtr base;
  ElementAccess access;
};

/// `x[i]` of an array: single indexes into array dimensions, an element comes out.
struct ArrayElement final : ExprNode {
  ArrayElement(const Type& t, std::string n, ExprPtr b, std::vector<ExprPtr> i)
      : ExprNode(t, b->may_ref && !t.is_discrete()), name(std::move(n)), base(std::move(b)), index(std::move(i)) {}
  Value eval(Frame& f) const override {
    const Borrowed value(*base, f);
    std::int32_t at[Shape::kMaxRank];
    const int count = static_cast<int>(index.size());
    for (int k = 0; k < count; ++k) at[k] = index[k]->eval_int(f);
    return read(*value, select_element(name, value->shape(), at, count));
  }
  std::string name;
  ExprPtr base;
  std::vector<ExprPtr> index;
};

struct Indexed final : ExprNode {
  Indexed(const Type& t, std::string n, ExprPtr b, std::vector<IndexNode> i)
      : ExprNode(t, b->may_ref && !t.is_discrete()), name(std::move(n)), base(std::move(b)), index(std::move(i)) {}
  Value eval(Frame& f) const override {
    const Borrowed value(*base, f);
    std::vector<Position> at;
    positions(f, index, at);
    return read(*value, select(name, value->shape(), at));
  }
  std::string name;
  ExprPtr base;
  std::vector<IndexNode> index;
};

// ---------------------------------------------------------------- literals of containers

std::vector<Value> values(Frame& f, const std::vector<ExprPtr>& nodes) {
  std::vector<Value> out;
  out.reserve(nodes.size());
  for (const ExprPtr& node : nodes) out.push_back(node->eval(f));
  return out;
}
ad::Recorder* recorder_of(const Frame& f) { return f.recording ? f.m.recorder : nullptr; }

struct MakeArray final : ExprNode {
  MakeArray(const Type& t, std::vector<ExprPtr> i) : ExprNode(t, any_may_ref(i)), items(std::move(i)) {}
  Value eval(Frame& f) const override { return join_array(values(f, items), recorder_of(f)); }
  std::vector<ExprPtr> items;
};

struct MakeRow final : ExprNode {
  MakeRow(const Type& t, std::vector<ExprPtr> i) : ExprNode(t, any_may_ref(i)), items(std::move(i)) {}
  Value eval(Frame& f) const override {
    const bool matrix = type.is(BaseType::Matrix) || type.is(BaseType::ComplexMatrix);
    const bool complex = type.is(BaseType::ComplexMatrix) || type.is(BaseType::ComplexRowVector);
    return join_row(values(f, items), matrix, complex, recorder_of(f));
  }
  std::vector<ExprPtr> items;
};

struct MakeTuple final : ExprNode {
  MakeTuple(const Type& t, std::vector<ExprPtr> i) : ExprNode(t, any_may_ref(i)), items(std::move(i)) {}
  Value eval(Frame& f) const override { return Value::tuple(values(f, items)); }
  std::vector<ExprPtr> items;
};

struct Length final : ExprNode {
  explicit Length(ExprPtr x) : ExprNode(BaseType::Int, false), operand(std::move(x)) {}
  Value eval(Frame& f) const override { return eval_int(f); }
  std::int32_t eval_int(Frame& f) const override {
    const Borrowed value(*operand, f);
    return static_cast<std::int32_t>(value->shape().length());
  }
  ExprPtr operand;
};

}  // namespace

void positions(Frame& f, const std::vector<IndexNode>& indexes, std::vector<Position>& out) {
  out.resize(indexes.size());
  for (std::size_t k = 0; k < indexes.size(); ++k) {
    const IndexNode& node = indexes[k];
    Position& at = out[k];
    at.kind = node.kind;
    if (node.kind == IndexKind::Multi) {
      at.list = node.low->eval(f);
      continue;
    }
    if (node.low) at.low = node.low->eval_int(f);
    if (node.high) at.high = node.high->eval_int(f);
  }
}

ExprPtr make_variable(const Compiler::Variable& variable) {
  return std::make_unique<Variable>(variable);
}

ExprPtr make_promotion(const Type& type, const Type& scalar, ExprPtr operand) {
  if (operand->type == type) return std::make_unique<SameType>(type, std::move(operand));
  if (operand->is_int() && type.is(BaseType::Real)) return make_int_to_real(std::move(operand));
  return std::make_unique<Promotion>(type, scalar, std::move(operand));
}

ExprPtr make_projection(const Type& type, ExprPtr tuple, int slot) {
  return std::make_unique<Projection>(type, std::move(tuple), slot);
}

ExprPtr make_indexed(const Type& type, std::string name, ExprPtr base, std::vector<IndexNode> indexes) {
  bool single = true;
  for (const IndexNode& index : indexes) single &= index.kind == IndexKind::Single;
  const int count = static_cast<int>(indexes.size());
  const bool scalar = type.is_number() && count == base->type.depth();
  if (!single || (!scalar && count > base->type.array_dims()))
    return std::make_unique<Indexed>(type, std::move(name), std::move(base), std::move(indexes));
  std::vector<ExprPtr> singles;
  for (IndexNode& index : indexes) singles.push_back(std::move(index.low));
  if (!scalar) return std::make_unique<ArrayElement>(type, std::move(name), std::move(base), std::move(singles));
  return std::make_unique<ScalarElement>(type, std::move(name), std::move(base), std::move(singles));
}

ExprPtr make_array(const Type& type, std::vector<ExprPtr> items) {
  return std::make_unique<MakeArray>(type, std::move(items));
}
ExprPtr make_row(const Type& type, std::vector<ExprPtr> items) {
  return std::make_unique<MakeRow>(type, std::move(items));
}
ExprPtr make_tuple(const Type& type, std::vector<ExprPtr> items) {
  return std::make_unique<MakeTuple>(type, std::move(items));
}
ExprPtr make_length(ExprPtr operand) {
  return std::make_unique<Length>(std::move(operand));
}

}  // namespace fermiac::interp
