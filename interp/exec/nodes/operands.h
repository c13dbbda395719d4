// Operands of nodes that are evaluated in inner loops. Most are variables, literals, or elements of variables: these
// are read in place instead of through a virtual call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interp/exec/runs/node.h"
#include "interp/value/selection.h"
#include "support/base/check.h"

namespace fermiac::interp {

/// An int expression, mostly an index.
class IntOperand {
 public:
  explicit IntOperand(ExprPtr node) : node_(std::move(node)) {
    const std::optional<AffineInt> simple = node_->affine();
    is_affine_ = simple.has_value();
    if (is_affine_) affine_ = *simple;
  }
  std::int32_t operator()(Frame& f) const {
    if (!is_affine_) return node_->eval_int(f);
    if (affine_.slot == kNoSlot) return affine_.constant;
    // Overflow wraps, as in the expression.
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(f.slots[affine_.slot].as_int()) +
                                     static_cast<std::uint32_t>(affine_.constant));
  }
  const ExprNode& operator*() const { return *node_; }
  const ExprNode* operator->() const { return node_.get(); }

 private:
  ExprPtr node_;
  bool is_affine_ = false;
  AffineInt affine_;
};

/// Single indexes, one per dimension, down to a scalar.
class ElementIndex {
 public:
  static constexpr int kMost = Shape::kMaxRank + 2;
  ElementIndex(std::string name, std::vector<ExprPtr> index) : name_(std::move(name)) {
    index_.reserve(index.size());
    for (ExprPtr& node : index) index_.emplace_back(std::move(node));
  }
  std::uint32_t operator()(Frame& f, const Shape& shape) const {
    if (index_.size() == 1) return scalar_offset(name_, shape, index_[0](f));
    if (index_.size() == 2) {
      const std::int32_t first = index_[0](f);
      return scalar_offset(name_, shape, first, index_[1](f));
    }
    return any(f, shape);
  }

 private:
  [[gnu::noinline]] std::uint32_t any(Frame& f, const Shape& shape) const {  // keeps the usual cases small
    std::int32_t at[kMost];
    for (std::size_t k = 0; k < index_.size(); ++k) at[k] = index_[k](f);
    return scalar_offset(name_, shape, at, static_cast<int>(index_.size()));
  }
  std::string name_;  // for messages
  std::vector<IntOperand> index_;
};

/// An element of the variable in a slot.
class ElementAccess {
 public:
  ElementAccess(std::size_t slot, std::string name, std::vector<ExprPtr> index)
      : slot_(slot), index_(std::move(name), std::move(index)) {}
  bool in_slot() const { return slot_ != kNoSlot; }
  const Value& container(Frame& f) const { return f.slots[slot_]; }
  std::uint32_t offset(Frame& f, const Shape& shape) const { return index_(f, shape); }
  /// A number that carries no derivatives.
  double real(Frame& f) const {
    const Value& x = container(f);
    const std::uint32_t at = index_(f, x.shape());
    if (x.kind() == Value::Kind::Ints) return x.int_data()[at];
    FERMIAC_CHECK(x.kind() == Value::Kind::Reals, "a number read plainly carries no derivatives");
    return x.real_data()[at];
  }
  /// While recording.
  Traced traced(Frame& f) const {
    const Value& x = container(f);
    const std::uint32_t at = index_(f, x.shape());
    if (x.kind() == Value::Kind::Refs) return interp::traced(f, Value::reference(x.ref_data()[at]));
    return {x.kind() == Value::Kind::Ints ? x.int_data()[at] : x.real_data()[at]};
  }

 private:
  std::size_t slot_;
  ElementIndex index_;
};

/// A real or int operand: the most common kinds cost no virtual call.
class RealOperand {
 public:
  explicit RealOperand(ExprPtr node)
      : node_(std::move(node)), slot_(node_->variable_slot()), element_(node_->element_access()) {
    if (const std::optional<double> number = node_->constant())
      kind_ = Kind::Constant, constant_ = *number;
    else if (slot_ != kNoSlot)
      kind_ = Kind::Variable;
    else if (element_)
      kind_ = Kind::Element;
  }
  /// While recording.
  [[gnu::always_inline]] Traced traced(Frame& f) const {
    if (kind_ == Kind::Variable) return interp::traced(f, f.slots[slot_]);
    if (kind_ == Kind::Constant) return {constant_};
    return kind_ == Kind::Element ? element_->traced(f) : node_->trace(f);
  }
  /// A number that carries no derivatives in this run.
  double operator()(Frame& f) const {
    switch (kind_) {
      case Kind::Constant:
        return constant_;
      case Kind::Variable: {
        const Value& v = f.slots[slot_];
        return v.kind() == Value::Kind::Int ? v.as_int() : v.as_real();
      }
      case Kind::Element:
        return element_->real(f);
      case Kind::Other:
        break;
    }
    return node_->eval_real(f);
  }
  /// An operand that happens to be 0 or 1 is likely to be so in all iterations of a loop.
  bool is_steady() const { return kind_ == Kind::Constant || kind_ == Kind::Variable; }
  const ExprNode& operator*() const { return *node_; }
  const ExprNode* operator->() const { return node_.get(); }

 private:
  enum class Kind : std::uint8_t { Other, Constant, Variable, Element };
  ExprPtr node_;
  std::size_t slot_;
  const ElementAccess* element_;
  Kind kind_ = Kind::Other;
  double constant_ = 0;
};
inline std::vector<RealOperand> real_operands(std::vector<ExprPtr> nodes) {
  std::vector<RealOperand> out;
  out.reserve(nodes.size());
  for (ExprPtr& node : nodes) out.emplace_back(std::move(node));
  return out;
}

}  // namespace fermiac::interp
