// Sizes that vectorisation compares loop bounds with.
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass_tools.h"

namespace fermiac::mir {
namespace {

void note_size(const std::string& name, const SizedType& type, OuterSizes& out) {
  const auto dims = all_dims(type);
  if (!dims.empty()) out[name] = dims.front();
}

bool is_one(const Expr& expr) {
  const Lit* lit = as_lit(expr);
  return lit && lit->kind == Lit::Kind::Int && lit->text == "1";
}

}  // namespace

OuterSizes outer_sizes(const Program& program) {
  OuterSizes out;
  for (const InputVar& input : program.input_vars) note_size(input.name, input.type, out);
  for (const OutputVar& output : program.output_vars)
    if (output.block != BlockKind::GeneratedQuantities) note_size(output.name, output.constrained, out);
  for (const StmtPtr& stmt : program.prepare_data) {
    const auto* decl = std::get_if<Decl>(&stmt->node);
    const auto* type = decl ? std::get_if<SizedType>(&decl->type) : nullptr;
    if (type) note_size(decl->id, *type, out);
  }
  return out;
}

ExprPtr elements(const OuterSizes& sizes, const ExprPtr& container, const ExprPtr& lower, const ExprPtr& upper) {
  const Var* variable = as_var(*container);
  const auto size = variable ? sizes.find(variable->name) : sizes.end();
  if (is_one(*lower) && size != sizes.end() && same(*size->second, *upper)) return container;
  return indexed(container, {between(lower, upper)});
}

}  // namespace fermiac::mir
