// Which operands of a call carry derivatives as far as the text of a program tells: the level of an expression, which in a function
// depends on the arguments of the call (a function of Stan is a template over them).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Of arguments: bit i for argument i below 63, kAnyArgument if one is set at all (arguments from 63 on have that bit alone).
using ArgumentSet = std::uint64_t;
inline constexpr ArgumentSet kAnyArgument = ArgumentSet{1} << 63;
constexpr ArgumentSet argument_bit(std::size_t i) {
  return i < 63 ? ArgumentSet{1} << i : kAnyArgument;
}

/// One expression: whether it always carries derivatives, or does when one of `arguments` of the function around it does. What local
/// variables of functions carry may come from any argument.
struct Activity {
  bool always = false;
  ArgumentSet arguments = 0;
  bool holds(ArgumentSet active) const { return always || (arguments & active) != 0; }
};

/// Where an expression stands: outside of functions, or in one whose arguments have these names.
struct ActivityScope {
  bool in_function = false;
  std::vector<std::string> arguments;
};
/// Takes time in the size of the expression, and no stack.
Activity activity(const Expr& expr, const ActivityScope& scope);

/// The operands of a call that carry derivatives.
class ActiveOperands {
 public:
  ActiveOperands() = default;
  ActiveOperands(std::span<const ExprPtr> operands, const ActivityScope& scope);
  /// `active`: of the function around the call.
  ArgumentSet operator()(ArgumentSet active) const {
    ArgumentSet out = always_;
    for (const auto& [operand, arguments] : sometimes_)
      if ((arguments & active) != 0) out |= operand;
    return out;
  }
  ArgumentSet always() const { return always_; }
  /// Operands, and of which arguments one must carry derivatives.
  const std::vector<std::pair<ArgumentSet, ArgumentSet>>& sometimes() const { return sometimes_; }

 private:
  ArgumentSet always_ = 0;
  std::vector<std::pair<ArgumentSet, ArgumentSet>> sometimes_;
};

}  // namespace fermiac::mir
