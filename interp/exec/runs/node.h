// Nodes of a prepared program. Preparation resolves variables to slots, functions to their code and operators to typed
// nodes; running a node looks nothing up. The same nodes run plainly and recording: operands carry derivatives only
// while a recorder is set, and only where the types allow it (`may_ref`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/types.h"
#include "interp/exec/runs/frame.h"
#include "mir/ir/ir.h"

namespace fermiac::interp {

inline constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

class ElementAccess;

/// The int in a slot plus a constant; the constant alone without a slot.
struct AffineInt {
  std::size_t slot = kNoSlot;
  std::int32_t constant = 0;
};

/// compare(a, b) holds, or with `negate` does not.
struct Comparison {
  ad::Compare compare = ad::Compare::Less;
  ad::Ref a, b;
  bool negate = false;
};

/// A number while recording, with its reference if it carries derivatives.
struct Traced {
  double value = 0;
  Ref ref;
  bool active = false;
  bool is_number(double x) const { return !active && value == x; }
};

inline Traced traced(const Frame& f, const Value& v) {
  if (v.kind() != Value::Kind::Ref) return {v.kind() == Value::Kind::Int ? v.as_int() : v.as_real()};
  const Ref ref = v.as_ref();
  return {f.m.recorder->value(ref), ref, !ref.is_constant()};
}
/// The result of an op.
inline Traced traced_result(const Frame& f, Ref ref) { return {f.m.recorder->value(ref), ref, true}; }
inline void assign(Value& to, const Traced& x) {
  if (x.active) to.assign_reference(x.ref);
  else to.assign(x.value);
}
inline Value to_value(const Traced& x) { return x.active ? Value::reference(x.ref) : Value(x.value); }

struct ExprNode {
  ExprNode(Type type_, bool may_ref_) : type(std::move(type_)), may_ref(may_ref_) {}
  virtual ~ExprNode() = default;
  ExprNode(const ExprNode&) = delete;
  ExprNode& operator=(const ExprNode&) = delete;

  virtual Value eval(Frame& f) const = 0;
  /// For int expressions.
  virtual std::int32_t eval_int(Frame& f) const { return eval(f).as_int(); }
  /// For int and real expressions that carry no derivatives in this run (see `plain`).
  virtual double eval_real(Frame& f) const {
    if (is_int()) return eval_int(f);
    const Value v = eval(f);
    return v.kind() == Value::Kind::Int ? v.as_int() : v.as_real();
  }
  /// For int and real expressions while recording.
  virtual Traced trace(Frame& f) const { return traced(f, eval(f)); }
  /// While recording: adds the (summed) value to target. Sums are split into terms, densities become one op.
  virtual void to_target(Frame& f) const { add_to_target(*f.m.recorder, eval(f)); }
  /// The storage of a variable, or null for other expressions. Saves a copy.
  virtual const Value* peek(Frame&) const { return nullptr; }
  // What operands.h asks, so that the most common operands cost no virtual call.

  /// Int expressions `variable + constant` and constants.
  virtual std::optional<AffineInt> affine() const { return std::nullopt; }
  /// The slot of a variable, or kNoSlot.
  virtual std::size_t variable_slot() const { return kNoSlot; }
  /// The number that a literal is.
  virtual std::optional<double> constant() const { return std::nullopt; }
  /// For comparisons of numbers that may carry derivatives: whether it can be asked to `decide`.
  virtual bool compares() const { return false; }
  /// While recording: the outcome, if no derivatives are involved; else nothing, and the comparison that decides.
  virtual std::optional<bool> decide(Frame& f, Comparison&) const { return eval_int(f) != 0; }
  /// For one element of a variable: which. Null for other expressions.
  virtual const ElementAccess* element_access() const { return nullptr; }

  bool is_int() const { return type.is(BaseType::Int); }
  bool is_real() const { return type.is(BaseType::Real); }
  bool is_number() const { return type.is_number(); }
  /// The value cannot carry derivatives in this run.
  bool plain(const Frame& f) const { return !(may_ref && f.recording); }

  Type type;
  bool may_ref;
};
using ExprPtr = std::unique_ptr<const ExprNode>;

inline bool any_may_ref(const std::vector<ExprPtr>& nodes) {
  return std::ranges::any_of(nodes, [](const ExprPtr& node) { return node->may_ref; });
}

enum class Flow : std::uint8_t { Next, Break, Continue, Return };

struct StmtNode {
  explicit StmtNode(Site site_) : site(site_) {}
  virtual ~StmtNode() = default;
  StmtNode(const StmtNode&) = delete;
  StmtNode& operator=(const StmtNode&) = delete;
  virtual Flow run(Frame& f) const = 0;
  Site site;
};
using StmtPtr = std::unique_ptr<const StmtNode>;

/// The value of an expression without a copy where it is a variable; lives as long as this object and the variable.
class Borrowed {
 public:
  Borrowed(const ExprNode& node, Frame& f) : at_(node.peek(f)) {
    if (at_ == nullptr) {
      own_ = node.eval(f);
      at_ = &own_;
    }
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  const Value& operator*() const { return *at_; }
  const Value* operator->() const { return at_; }

 private:
  Value own_;
  const Value* at_;
};

}  // namespace fermiac::interp
