#include "codegen/stan_math/unit.h"

#include <algorithm>

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

using Likely = std::map<std::string, std::optional<bool>>;

std::optional<bool> likely_of(const std::vector<std::string>& annotations) {
  const auto has = [&](std::string_view name) { return std::ranges::find(annotations, name) != annotations.end(); };
  if (has("likely") == has("unlikely")) return std::nullopt;
  return has("likely");
}

void add(Likely& all, const std::string& name, const std::vector<std::string>& annotations) {
  const std::optional<bool> likely = likely_of(annotations);
  const auto [at, fresh] = all.try_emplace(name, likely);
  if (!fresh && at->second != likely) at->second.reset();
}

void add_variables(Likely& all, const mir::Stmt& body) {
  mir::each_substmt(body, [&](const mir::Stmt& s) {
    if (const auto* decl = std::get_if<mir::Decl>(&s.node)) add(all, decl->id, decl->annotations);
  });
}

Likely likely_variables(const mir::Program& program) {
  Likely out;
  for (const mir::Function& f : program.functions)
    if (f.body) add_variables(out, *f.body);
  for (const std::vector<mir::StmtPtr>* section : mir::sections(program))
    for (const mir::StmtPtr& s : *section) add_variables(out, *s);
  return out;
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
  likely_variables_ = likely_variables(program);
  for (const mir::Function& f : program.functions) {
    add(likely_functions_, f.name, f.annotations);
    names_.insert(f.name);
    if (!f.body) continue;
    bodies_.insert(f.name);
    calls_[f.name].merge(called_in(*f.body));
  }
  close(calls_);
}

std::optional<bool> Unit::likely(const mir::Expr& condition) const {
  const auto of = [](const Likely& all, const std::string& name) {
    const auto at = all.find(name);
    return at == all.end() ? std::nullopt : at->second;
  };
  if (const mir::Var* variable = mir::as_var(condition)) return of(likely_variables_, variable->name);
  const mir::FunApp* call = mir::as_call(condition);
  const auto* user = call ? std::get_if<mir::UserDefined>(&call->fn) : nullptr;
  return user ? of(likely_functions_, user->name) : std::nullopt;
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
