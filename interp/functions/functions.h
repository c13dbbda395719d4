// Applying built-in functions to values. One LibraryFunction per function name, found once when a program is prepared:
//   maps (autodiff/kernels/map_op.h)      element-wise with broadcasting; densities sum
//   kernels (autodiff/kernels/kernel.h)   everything with its own adjoint
//   rngs                                  plain numbers only
//   structural functions                  rearrange numbers or references: head, append_row, rep_vector, size, to_matrix …
//   composed functions                    choose among the above by shape: multiply, divide, log_sum_exp, pow …
// With a recorder and an operand that carries derivatives, maps and kernels go on the tape; otherwise they are evaluated.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtin.h"
#include "interp/functions/call_context.h"

namespace fermiac::interp {

class LibraryFunction {
 public:
  /// Null when there is no implementation. An operator has the one of its function.
  static const LibraryFunction* find(Builtin fn);
  /// By name, which may be that of a kernel that is not a function of the language.
  static const LibraryFunction* find(std::string_view name);
  /// All names that `find` knows, sorted.
  static std::vector<std::string_view> names();

  virtual ~LibraryFunction() = default;
  virtual std::string_view name() const = 0;
  /// Throws ad::DomainError, ad::SizeError, ad::IndexError.
  virtual Value apply(CallContext& context, std::span<const Value> args) const = 0;
  /// Adds the (summed) result to the recording's target. Densities fuse value and partials; the default applies and adds.
  virtual void apply_to_target(CallContext& context, std::span<const Value> args) const;
};

/// Values of an element-wise density of plain numbers, one for each element, with all constants. False where the function is not
/// element-wise, an operand carries derivatives, or an element is outside of the domain: somebody else says what is wrong.
bool elementwise_densities(std::string_view name, std::span<const Value> args, std::span<double> out);
/// The same on the recorder, one result for each of the `n` elements and what `context` drops dropped; none where the function is
/// not element-wise or has another number of elements. DomainError where an element is outside of the domain.
std::optional<Value> record_densities(CallContext& context, std::string_view name, std::span<const Value> args, std::size_t n);

}  // namespace fermiac::interp
