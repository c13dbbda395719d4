#include "codegen/stan_math/unit.h"

#include "codegen/names.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::codegen::stan_math {
namespace {

using Names = std::set<std::string>;

/// Functions that a body calls or hands on.
Names called_in(const mir::Stmt& body) {
  Names out;
  mir::each_substmt(body, [&](const mir::Stmt& s) {
    if (const auto* procedure = std::get_if<mir::NRFunApp>(&s.node))
      if (const auto* f = std::get_if<mir::UserDefined>(&procedure->fn)) out.insert(f->name);
    mir::each_expr(s, [&](const mir::Expr& top) {
      mir::each_subexpr(top, [&](const mir::Expr& e) {
        if (const auto* call = mir::as_call(e))
          if (const auto* f = std::get_if<mir::UserDefined>(&call->fn)) out.insert(f->name);
        if (const auto* v = mir::as_var(e); v && e.type.is(BaseType::Function)) out.insert(normalised(v->name).name);
      });
    });
  });
  return out;
}

void close(std::map<std::string, Names>& calls) {
  for (bool grew = true; grew;) {
    grew = false;
    for (auto& [caller, callees] : calls)
      for (const std::string& callee : Names(callees))
        if (const auto more = calls.find(callee); more != calls.end())
          for (const std::string& name : more->second) grew = callees.insert(name).second || grew;
  }
}

}  // namespace

FunctionName normalised(std::string_view name) {
  std::string out(name);
  const bool propto = name.ends_with("_lupdf") || name.ends_with("_lupmf");
  if (propto) out.erase(out.size() - 4, 1);
  return {std::move(out), propto};
}

std::string Functor::name() const {
  const std::string id = function_id(function);
  switch (form) {
    case Form::Plain:
      return id + "_functor__";
    case Form::Variadic:
      return id + "_variadic" + std::to_string(leading) + "_functor__";
    case Form::Slice:
      break;
  }
  return id + "_rsfunctor__";
}

Unit::Unit(const mir::Program& program, const SourceMap& sources) : program_(program), locations_(sources) {
  for (const mir::Function& f : program.functions) {
    names_.insert(f.name);
    if (!f.body) continue;
    bodies_.insert(f.name);
    calls_[f.name].merge(called_in(*f.body));
  }
  close(calls_);
}

bool Unit::recurses(const std::string& caller, const std::string& callee) const {
  const auto calls = calls_.find(callee);
  return callee == caller || (calls != calls_.end() && calls->second.contains(caller));
}

bool Unit::reads_target(const mir::Function& function) const {
  bool found = false;
  mir::each_substmt(*function.body, [&](const mir::Stmt& s) {
    mir::each_expr(s, [&](const mir::Expr& e) { found = found || mir::effects(e).has(mir::Effect::Target); });
  });
  return found;
}

std::string Unit::use(Functor functor) {
  const std::string name = functor.name();
  const auto [at, fresh] = functors_.try_emplace(name, functor);
  if (!fresh) at->second.arguments.merge(functor.arguments);
  return name;
}

std::size_t Unit::map_rect(const std::string& functor) {
  map_rects_.push_back(functor);
  return map_rects_.size();
}

}  // namespace fermiac::codegen::stan_math
