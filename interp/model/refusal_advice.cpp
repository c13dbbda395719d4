#include "interp/model/refusal_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/number_text.h"
#include "support/base/render.h"
#include "support/base/text.h"

namespace fermiac::interp {
namespace {

constexpr int kDeepest = 3;  // variables followed to what they are assigned

std::string_view stem_of(std::string_view function) { return function.substr(0, function.rfind('_')); }

bool is_int_division(const mir::Expr& expr) {
  const mir::StanLib* fn = mir::as_library(expr);
  return fn && (fn->fn == Builtin::Divide || fn->fn == Builtin::divide) && expr.type.is(BaseType::Int);
}

class Advisor {
 public:
  Advisor(const CompiledModel& compiled, std::string_view message) : compiled_(compiled), message_(message) {}

  std::string run() const {
    const mir::FunApp* call = refusing_call();
    if (!call || label() == "random variable") return {};
    const std::vector<std::size_t> constant = constant_arguments(*call);
    for (const std::size_t i : constant)
      if (const std::string text = division(*call->args[i], kDeepest); !text.empty()) return text;
    return constant.size() == 1 ? constancy(*call->args[constant[0]]) : std::string();
  }

 private:
  std::string_view function() const { return message_.substr(0, message_.find(':')); }

  /// `Scale parameter` of the message.
  std::string label() const {
    const std::size_t begin = function().size() + 2, end = std::min(message_.find_first_of("[", begin), message_.find(" is ", begin));
    return begin < message_.size() && end != message_.npos ? lower_case(message_.substr(begin, end - begin)) : std::string();
  }

  template <class Visit>
  void each_statement(Visit visit) const {
    const mir::Program& program = compiled_.program;
    for (const std::vector<mir::StmtPtr>* list : {&program.prepare_data, &program.log_prob})
      for (const mir::StmtPtr& top : *list) mir::each_substmt(*top, visit);
    for (const mir::Function& f : program.functions)
      if (f.body) mir::each_substmt(*f.body, visit);
  }

  /// The call of the density that the message is of.
  const mir::FunApp* refusing_call() const {
    const mir::FunApp* out = nullptr;
    if (message_.find("must be ") == message_.npos || function().size() == message_.size()) return out;
    each_statement([&](const mir::Stmt& stmt) {
      if (out || message_.find(" (in " + location_text(compiled_.sources(), stmt.span) + ")") == message_.npos) return;
      mir::each_expr(stmt, [&](const mir::Expr& expr) {
        mir::each_subexpr(expr, [&](const mir::Expr& e) {
          const mir::FunApp* call = mir::as_call(e);
          const auto* fn = call ? std::get_if<mir::StanLib>(&call->fn) : nullptr;
          if (!out && fn && call->args.size() > 1 && stem_of(name_of(fn->fn)) == stem_of(function())) out = call;
        });
      });
    });
    return out;
  }

  /// Arguments that the message may be of and that do not depend on parameters; those whose role is the label of the message, if there
  /// are any.
  std::vector<std::size_t> constant_arguments(const mir::FunApp& call) const {
    const BuiltinRow* row = find_distribution(stem_of(function()));
    const std::vector<ArgumentDoc> docs = row ? argument_docs(*row) : std::vector<ArgumentDoc>();
    std::vector<std::size_t> all, named;
    bool varying = false;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      const bool is_named = i < docs.size() && !label().empty() && docs[i].role.find(label()) != std::string_view::npos;
      const bool varies = depends_on_parameters(*call.args[i], kDeepest);
      varying = varying || (is_named && varies);
      if (varies) continue;
      all.push_back(i);
      if (is_named) named.push_back(i);
    }
    return named.empty() && !varying ? all : named;
  }

  /// Calls `visit` with each value that the variable is assigned.
  template <class Visit>
  void each_value(const std::string& name, Visit visit) const {
    each_statement([&](const mir::Stmt& stmt) {
      const auto* assignment = std::get_if<mir::Assignment>(&stmt.node);
      const auto* decl = std::get_if<mir::Decl>(&stmt.node);
      if (assignment && assignment->left.variable == name) visit(*assignment->right);
      else if (decl && decl->id == name && decl->value) visit(*decl->value);
    });
  }

  /// Local variables of a model carry derivatives whatever they are assigned, so these are followed to their values.
  bool depends_on_parameters(const mir::Expr& expr, int depth) const {
    bool out = false;
    mir::each_subexpr(expr, [&](const mir::Expr& e) {
      if (const mir::Var* variable = mir::as_var(e)) out = out || (mir::carries_derivatives(e) && varies(variable->name, depth));
    });
    return out;
  }

  bool varies(const std::string& name, int depth) const {
    if (depth == 0) return true;
    bool assigned = false, out = false;
    each_value(name, [&](const mir::Expr& value) {
      assigned = true;
      out = out || depends_on_parameters(value, depth - 1);
    });
    return !assigned || out;
  }

  std::string text(const mir::Expr& expr) const { return std::string(compiled_.sources().text(expr.span)); }

  /// Of a division of ints that the value comes from.
  std::string division(const mir::Expr& expr, int depth) const {
    std::string out;
    mir::each_subexpr(expr, [&](const mir::Expr& e) {
      if (!out.empty()) return;
      if (is_int_division(e)) out = division_text(e);
      else if (const mir::Var* variable = mir::as_var(e); variable && depth > 0) out = assigned_division(variable->name, depth - 1);
    });
    return out;
  }

  std::string assigned_division(const std::string& name, int depth) const {
    std::string out;
    each_value(name, [&](const mir::Expr& value) {
      if (out.empty()) out = division(value, depth);
    });
    return out;
  }

  std::string division_text(const mir::Expr& e) const {
    const mir::FunApp& call = *mir::as_call(e);
    const std::string left = text(*call.args[0]), right = text(*call.args[1]);
    const bool left_number = mir::as_lit(*call.args[0]) != nullptr, right_number = mir::as_lit(*call.args[1]) != nullptr;
    const std::string real = left_number ? left + ".0 / " + right : right_number ? left + " / " + right + ".0" : left + " * 1.0 / " + right;
    const bool zero = left_number && right_number && literal_int(left) < literal_int(right);
    return fmt::format("{} / {} is a division of ints, which drops the fraction{}; write {}.", left, right, zero ? " and gives 0" : "", real);
  }

  std::string constancy(const mir::Expr& expr) const {
    const mir::Expr& inner = mir::bare(expr);
    return fmt::format("{} does not depend on parameters, so no starting values help: {}.", text(inner),
                       mir::as_lit(inner) ? "change it in the program" : "look at the data that it is computed from");
  }

  const CompiledModel& compiled_;
  std::string_view message_;
};

}  // namespace

std::string refusal_advice(const CompiledModel& compiled, std::string_view message) { return Advisor(compiled, message).run(); }

}  // namespace fermiac::interp
