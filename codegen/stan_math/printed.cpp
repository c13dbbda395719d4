// Expressions and destinations as messages name them.
#include "codegen/stan_math/stan_math.h"
#include "mir/ir/build.h"
#include "mir/text/text.h"

namespace fermiac::codegen::stan_math {

std::string printed_text(const mir::Expr& e) {
  std::string out;
  bool broken = false;  // after a line break: what indents the next line goes
  for (const char c : mir::to_pretty(e)) {
    if (c == '\n') broken = true;
    if (broken && (c == '\n' || c == ' ')) continue;
    if (broken && !out.empty() && out.back() != '(') out += ' ';
    broken = false;
    out += c;
  }
  return out;
}

std::string base_text(const mir::LValue& left) {
  return left.tuple ? base_text(*left.tuple) + "." + std::to_string(left.slot) : left.variable;
}

std::string base_text(const mir::Expr& path) {
  if (const mir::Var* v = mir::as_var(path)) return v->name;
  if (const auto* x = std::get_if<mir::Indexed>(&path.node)) return base_text(*x->base);
  const auto* p = std::get_if<mir::TupleProjection>(&path.node);
  if (!p) return "";
  const std::string tuple = base_text(*p->tuple);
  return tuple.empty() ? "" : tuple + "." + std::to_string(p->slot);
}

}  // namespace fermiac::codegen::stan_math
