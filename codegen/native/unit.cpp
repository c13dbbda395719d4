#include "codegen/native/unit.h"

#include "codegen/native/external.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::codegen::native {
namespace {

bool takes(const mir::Function& function, const std::vector<mir::ExprPtr>& args) {
  for (std::size_t i = 0; i < args.size(); ++i)
    if (!(function.args[i].type == args[i]->type)) return false;
  return true;
}

}  // namespace

Unit::Unit(const mir::Program& program) : program_(program), numbers_(program) {
  for (std::uint32_t i = 0; const mir::Stmt* s = numbers_.find(i); ++i)
    if (const auto* decl = std::get_if<mir::Decl>(&s->node))
      if (std::holds_alternative<Type>(decl->type)) resizable_.insert(decl->id);
  for (const mir::StmtPtr& s : program.log_prob) trace_calls(*s);
}

/// By name: which of several functions a call means makes no difference here.
void Unit::trace_calls(const mir::Stmt& s) {
  const auto called = [&](const mir::FunctionKind& kind) {
    const auto* f = std::get_if<mir::UserDefined>(&kind);
    if (!f) return;
    for (std::size_t i = 0; i < program_.functions.size(); ++i)
      if (const mir::Function& callee = program_.functions[i]; callee.name == f->name && callee.body && traced_.insert(i).second)
        trace_calls(*callee.body);
  };
  each_substmt(s, [&](const mir::Stmt& inner) {
    if (const auto* call = std::get_if<mir::NRFunApp>(&inner.node)) called(call->fn);
    each_expr(inner, [&](const mir::Expr& e) {
      each_subexpr(e, [&](const mir::Expr& part) {
        if (const mir::FunApp* call = as_call(part)) called(call->fn);
      });
    });
  });
}

std::size_t Unit::site(const mir::Stmt& s) {
  const auto [it, fresh] = site_numbers_.try_emplace(numbers_.of(s), sites_.size());
  if (fresh) sites_.push_back(it->first);
  return it->second;
}

std::size_t Unit::library(const std::string& name, std::size_t scalars) {
  const auto [it, fresh] = library_numbers_.try_emplace({name, scalars}, library_.size());
  if (fresh) library_.push_back(it->first);
  return it->second;
}

std::size_t Unit::user_function(const std::string& name, const std::vector<mir::ExprPtr>& args) const {
  std::vector<std::size_t> same_arity;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const mir::Function& f = program_.functions[i];
    if (f.name != name || f.args.size() != args.size() || !(f.body || is_external(program_, f))) continue;
    if (takes(f, args)) return i;
    same_arity.push_back(i);
  }
  if (same_arity.size() != 1) throw Unsupported{};
  return same_arity[0];
}

std::string Unit::function_name(std::size_t index) const {
  return "f" + std::to_string(index) + "_" + program_.functions[index].name;
}

}  // namespace fermiac::codegen::native
