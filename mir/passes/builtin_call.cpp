// Type checking of built-in calls that a pass wants to build.
#include "frontend/builtins/builtins.h"
#include "frontend/check/conversions.h"
#include "mir/passes/pass_tools.h"

namespace fermiac::mir {
namespace {

std::optional<int> total_cost(const Signature& signature, const std::vector<ExprPtr>& args) {
  if (signature.formals.size() != args.size()) return std::nullopt;
  int total = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (signature.formals[i].data_only && args[i]->ad.any()) return std::nullopt;
    const auto cost = check::conversion_cost(args[i]->type, signature.formals[i].type);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

const Signature* best(Builtin function, const std::vector<ExprPtr>& args) {
  const Signature* found = nullptr;
  int least = 0;
  for (const Signature& signature : signatures(name_of(function))) {
    const auto cost = total_cost(signature, args);
    if (!cost || (found && *cost >= least)) continue;
    found = &signature;
    least = *cost;
  }
  return found;
}

const Signature* resolve(Builtin fn, const std::vector<ExprPtr>& args) {
  const OperatorRow* op = find_operator(fn);
  for (const Builtin function : op ? op->functions() : std::span(&fn, 1))
    if (const Signature* signature = best(function, args)) return signature;
  return nullptr;
}

}  // namespace

std::optional<Type> builtin_result(Builtin fn, const std::vector<ExprPtr>& args) {
  const Signature* signature = resolve(fn, args);
  if (!signature) return std::nullopt;
  return signature->result;
}

bool builtin_supports_soa(Builtin fn, const std::vector<ExprPtr>& args) {
  const Signature* signature = resolve(fn, args);
  return signature && supports_soa(*signature);
}

}  // namespace fermiac::mir
