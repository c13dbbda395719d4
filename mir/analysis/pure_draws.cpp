#include "mir/analysis/program_traits.h"

#include <map>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

/// What an expression reads outside of calls of random number generators.
struct Reading {
  bool tied = false;   // something that is computed from parameters
  bool drawn = false;  // a generator, or a variable that is drawn
  Reading operator|(const Reading& other) const { return {tied || other.tied, drawn || other.drawn}; }
};

/// Variables by name; each pass over the statements adds to what is known, until nothing is added.
class PureDraws {
 public:
  explicit PureDraws(const Program& program) : program_(program) {
    for (const OutputVar& output : program.output_vars)
      if (output.block != BlockKind::GeneratedQuantities) known_[output.name] = {.tied = true};
  }

  std::vector<std::string> run() {
    do {
      changed_ = false;
      for (const StmtPtr& top : program_.generate_quantities) statement(*top, {});
    } while (changed_);
    std::vector<std::string> out;
    for (const OutputVar& output : program_.output_vars)
      if (const Reading x = known_[output.name]; x.drawn && !x.tied) out.push_back(output.name);
    return out;
  }

 private:
  Reading read(const Expr& expr) const {
    if (const Var* variable = as_var(expr)) {
      const auto found = known_.find(variable->name);
      return found == known_.end() ? Reading{} : found->second;
    }
    if (const FunApp* call = as_call(expr); call && call_effects(call->fn).has(Effect::Rng)) return {.tied = false, .drawn = true};
    Reading out;
    each_child(expr, [&](const Expr& child) { out = out | read(child); });
    return out;
  }
  Reading read(const ExprPtr& expr) const { return expr ? read(*expr) : Reading{}; }

  void assign(const std::string& variable, Reading value) {
    Reading& known = known_[variable];
    const Reading all = known | value;
    changed_ = changed_ || all.tied != known.tied || all.drawn != known.drawn;
    known = all;
  }

  static const std::string& variable_of(const LValue& left) { return left.tuple ? variable_of(*left.tuple) : left.variable; }

  /// `control`: what the conditions around the statement read.
  void statement(const Stmt& stmt, Reading control) {
    if (const auto* assignment = std::get_if<Assignment>(&stmt.node)) {
      Reading value = control;
      each_expr(stmt, [&](const Expr& e) { value = value | read(e); });  // indexes too
      assign(variable_of(assignment->left), value);
    } else if (const auto* decl = std::get_if<Decl>(&stmt.node); decl && decl->value) {
      assign(decl->id, control | read(decl->value));
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
      control = control | read(loop->lower) | read(loop->upper);
      assign(loop->variable, control);
    } else if (const auto* loop_while = std::get_if<While>(&stmt.node)) {
      control = control | read(loop_while->test);
    } else if (const auto* branch = std::get_if<IfElse>(&stmt.node)) {
      control = control | read(branch->test);
    }
    each_child(stmt, [&](const Stmt& child) { statement(child, control); });
  }

  const Program& program_;
  std::map<std::string, Reading> known_;
  bool changed_ = false;
};

}  // namespace

std::vector<std::string> pure_draws(const Program& program) { return PureDraws(program).run(); }

}  // namespace fermiac::mir
