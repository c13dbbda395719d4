#include "interp/exec/lowering/jit_inline.h"

#include <algorithm>

#include "interp/exec/lowering/views.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {
namespace {

/// Names of functions that a statement calls or passes on, once each.
std::vector<std::string> called(const mir::Stmt& top) {
  std::vector<std::string> out;
  const auto note = [&](const std::string& name) {
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  };
  const auto of_kind = [&](const mir::FunctionKind& kind) {
    if (const auto* user = std::get_if<mir::UserDefined>(&kind)) note(user->name);
  };
  mir::each_substmt(top, [&](const mir::Stmt& s) {
    if (const auto* call = std::get_if<mir::NRFunApp>(&s.node)) of_kind(call->fn);
    mir::each_expr(s, [&](const mir::Expr& e) {
      mir::each_subexpr(e, [&](const mir::Expr& part) {
        if (const mir::FunApp* call = mir::as_call(part)) of_kind(call->fn);
        const mir::Var* v = mir::as_var(part);
        if (v && part.type.base() == BaseType::Function) note(v->name);
      });
    });
  });
  return out;
}

}  // namespace

const std::vector<std::string>& Inlining::calls(const std::string& name) {
  const auto [it, added] = calls_.try_emplace(name);
  if (!added) return it->second;
  for (const mir::Function& f : program_.functions)
    if (f.name == name && f.body)
      for (std::string& callee : called(*f.body)) it->second.push_back(std::move(callee));
  return it->second;
}

bool Inlining::reaches(const std::string& from, const std::string& to, std::vector<std::string>& seen) {
  constexpr std::size_t kMost = 100;  // of a larger graph it is not worth knowing
  if (seen.size() > kMost) return true;
  for (const std::string& next : calls(from)) {
    if (next == to) return true;
    if (std::ranges::find(seen, next) != seen.end()) continue;
    seen.push_back(next);
    if (reaches(next, to, seen)) return true;
  }
  return false;
}

bool Inlining::recurs(const std::string& name) {
  const auto [it, added] = recurs_.try_emplace(name, true);
  if (!added) return it->second;
  std::vector<std::string> seen;
  return recurs_[name] = reaches(name, name, seen);
}

bool Inlining::takes(const mir::Function& function) {
  const bool number = function.result && function.result->is_number();
  if (!number || !function.body || (function.suffix != Suffix::Plain && function.suffix != Suffix::Rng)) return false;
  return mir::node_count(*function.body) <= kMostNodes && !recurs(function.name);
}

}  // namespace fermiac::interp
