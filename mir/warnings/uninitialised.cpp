// Variables that are read before they are set.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/warnings/warnings.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

// Statements that lowering adds around a declaration read the variable only to look at it.
bool is_generated_check(const NRFunApp& call) {
  const CompilerInternal* internal = as_internal(call.fn);
  const auto* library = std::get_if<StanLib>(&call.fn);
  return (internal && internal->fn == Internal::FnCheck) || (library && library->fn == Builtin::check_matching_dims);
}

/// One walk in program order over a scope, with the set of variables that are certainly assigned.
class Walk {
 public:
  Walk(Names given, std::vector<Warning>& out) : given_(given), assigned_(std::move(given)), out_(out) {}

  void list(const std::vector<StmtPtr>& body) {
    for (const StmtPtr& stmt : body) walk(*stmt);
  }
  void walk(const Stmt& stmt) {
    match(
        stmt.node, [&](const Assignment&) { assignment(stmt); }, [&](const Decl& s) { declaration(stmt, s); },
        [&](const NRFunApp& s) {
          if (!is_generated_check(s)) use_all(stmt);
        },
        [&](const TargetPE&) { use_all(stmt); }, [&](const JacobianPE&) { use_all(stmt); },
        [&](const Return&) { use_all(stmt); }, [&](const Skip&) {}, [&](const Break&) { left_ = true; },
        [&](const Continue&) { left_ = true; }, [&](const IfElse& s) { branch(s); },
        [&](const While& s) {
          use(*s.test);
          loop(*s.body);
        },
        [&](const For& s) {
          use(*s.lower);
          use(*s.upper);
          assigned_.insert(s.variable);
          loop(*s.body);
        },
        [&](const Profile& s) { list(s.body); }, [&](const Block& s) { list(s.body); },
        [&](const SList& s) { list(s.body); });
  }

 private:
  void use(const Expr& expr) {
    each_subexpr(expr, [&](const Expr& e) {
      const Var* variable = as_var(e);
      if (!variable || e.type.base() == BaseType::Function || e.span == Span{}) return;
      if (assigned_.contains(variable->name) || !warned_.insert(variable->name).second) return;
      out_.push_back(
          {e.span, "The variable " + variable->name + " may not have been assigned a value before its use."});
    });
  }
  void use_all(const Stmt& stmt) {
    each_expr(stmt, [&](const Expr& expr) { use(expr); });
  }

  void assignment(const Stmt& stmt) {
    use_all(stmt);
    assigned_.insert(std::get<Assignment>(stmt.node).left.base_name());
  }

  // A name may come back in a sibling scope as another variable.
  void declaration(const Stmt& stmt, const Decl& decl) {
    use_all(stmt);
    if (decl.init == Decl::Init::Assign)
      assigned_.insert(decl.id);
    else if (!given_.contains(decl.id))
      assigned_.erase(decl.id);
  }

  // A path that leaves by break or continue is not looked at further; one that returns or rejects is.
  void branch(const IfElse& node) {
    use(*node.test);
    const Names before = assigned_;
    const bool outer = std::exchange(left_, false);
    walk(*node.yes);
    const bool yes_left = std::exchange(left_, false);
    Names after_yes = std::exchange(assigned_, before);
    if (node.no) walk(*node.no);
    if (left_ && !yes_left)
      assigned_ = std::move(after_yes);
    else if (!yes_left)
      std::erase_if(assigned_, [&](const std::string& name) { return !after_yes.contains(name); });
    left_ = outer || (left_ && yes_left);
  }

  void loop(const Stmt& body) {
    const bool outer = std::exchange(left_, false);
    walk(body);
    left_ = outer;
  }

  Names given_, assigned_, warned_;
  bool left_ = false;
  std::vector<Warning>& out_;
};

Names with_flags(Names names) {
  names.insert("emit_transformed_parameters__");
  names.insert("emit_generated_quantities__");
  return names;
}

}  // namespace

std::vector<Warning> uninitialised_warnings(const Program& program, const SourceMap& sources) {
  std::vector<Warning> out;
  for (const Function& function : program.functions) {
    Names formals;
    for (const FunctionArg& arg : function.args) formals.insert(arg.name);
    if (function.body) Walk(formals, out).walk(*function.body);
  }
  Names data;
  for (const InputVar& input : program.input_vars) data.insert(input.name);
  Names parameters = with_flags(data);
  for (const OutputVar& output : program.output_vars)
    if (output.block == BlockKind::Parameters) parameters.insert(output.name);
  Walk(data, out).list(program.prepare_data);
  for (const auto* section : {&program.log_prob, &program.generate_quantities}) {
    Walk walk(parameters, out);
    walk.list(program.prepare_data);
    walk.list(*section);
  }
  return sorted_once(std::move(out), sources);
}

}  // namespace fermiac::mir
