// Applying built-in functions to values. One Builtin per function name, found once when a program is prepared:
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

#include "autodiff/kernels/propto.h"
#include "interp/value/value.h"
#include "support/base/rng.h"

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

struct CallContext {
  ad::Recorder* recorder = nullptr;  // null in the plain evaluator
  Rng* rng = nullptr;                // null where nothing may be drawn
  ad::Propto propto;                 // densities: which summands are dropped
  bool jacobian = true;              // functions `…_jacobian`: whether they add their log Jacobian at all
  ad::Ref* random = nullptr;         // while draws are recorded: state of the generator, as record_random.h has it
  double* target = nullptr;          // where they add it if no operand carries derivatives; null: it is dropped
};

class Builtin {
 public:
  /// By function name as MIR spells it (`normal_lpdf`, `multiply`, `Plus__` …); null when no implementation exists yet.
  static const Builtin* find(std::string_view name);
  /// All names that `find` knows, sorted.
  static std::vector<std::string_view> names();

  virtual ~Builtin() = default;
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
/// `target += value`, containers summed, on the recorder.
void add_to_target(ad::Recorder& recorder, const Value& value);
/// What a reference holds at the recording point.
double recorded_value(const CallContext& context, Ref ref);

}  // namespace fermiac::interp
