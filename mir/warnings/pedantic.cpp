// Pedantic mode: one function per kind of warning.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"
#include "mir/text/text.h"
#include "mir/warnings/dependence.h"
#include "mir/warnings/domains.h"
#include "mir/warnings/factor_graph.h"
#include "mir/warnings/ranges.h"
#include "mir/warnings/warnings.h"
#include "support/base/render.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

// ---------------------------------------------------------------- literals

std::string literal_text(const Expr& expr) {
  if (const auto* promotion = std::get_if<Promotion>(&expr.node)) return literal_text(*promotion->operand);
  if (const FunApp* call = as_call(expr)) return "-" + literal_text(*call->args[0]);
  return as_lit(expr)->text;
}

// ---------------------------------------------------------------- names of distributions

/// `y_lpdf` and `y_lpmf` without their ending.
std::string stem_of(const std::string& name) {
  return name.substr(0, name.size() - 5);
}

std::string article(const std::string& noun) {
  return (std::string("aeiou").find(noun[0]) == std::string::npos ? "A " : "An ") + noun;
}

// ---------------------------------------------------------------- the warnings

class Pedantic {
 public:
  Pedantic(const Program& program, const SourceMap& sources, PriorWarnings counted)
      : program_(program), sources_(sources), counted_(counted), model_(program.log_prob), ranges_(program) {
    for (const OutputVar& output : program.output_vars)
      if (output.block == BlockKind::Parameters) parameters_[output.name] = &output;
    for (const auto& [name, output] : parameters_) parameter_names_.insert(name);
  }

  std::vector<Warning> run() {
    for (const Function& function : program_.functions)
      if (function.body) each_substmt(*function.body, [&](const Stmt& stmt) { densities(stmt); });
    for (const StmtPtr& stmt : program_.log_prob)
      each_substmt(*stmt, [&](const Stmt& s) {
        densities(s);
        missing_jacobian(s);
      });
    if (counted_ == PriorWarnings::With) repeated_distributions();
    hard_constraints();
    control_flow();
    control_flow_in_functions();
    priors();
    return std::move(out_);
  }

 private:
  void warn(Span span, std::string text) { out_.push_back({span, std::move(text)}); }

  const OutputVar* parameter(const Expr& expr) const {
    const Var* variable = as_var(bare(expr));
    const auto found = variable ? parameters_.find(variable->name) : parameters_.end();
    return found == parameters_.end() ? nullptr : found->second;
  }

  // ---- arguments of densities

  void densities(const Stmt& stmt) {
    each_expr(stmt, [&](const Expr& expr) {
      each_subexpr(expr, [&](const Expr& e) {
        const FunApp* call = as_call(e);
        const auto* fn = call ? std::get_if<StanLib>(&call->fn) : nullptr;
        if (!fn || !fn->propto || (fn->suffix != Suffix::Lpdf && fn->suffix != Suffix::Lpmf)) return;
        const std::string stem = stem_of(std::string(name_of(fn->fn)));
        for (const ExprPtr& arg : call->args) unscaled(*arg);
        arguments(stem, call->args);
        special_advice(stem, e, call->args);
      });
    });
  }

  void unscaled(const Expr& arg) {
    const auto value = signed_literal(arg);
    if (!value || *value == 0 || (std::abs(*value) >= 0.1 && std::abs(*value) <= 10)) return;
    warn(arg.span,
         "Argument " + literal_text(arg) +
             " suggests there may be parameters that are not unit scale; consider rescaling with a multiplier.");
  }

  void arguments(const std::string& stem, const std::vector<ExprPtr>& args) {
    const BuiltinRow* row = find_distribution(stem);
    if (!row) return;
    const std::vector<ArgumentDoc> docs = argument_docs(*row);
    for (std::size_t i = 0; i < args.size() && i < docs.size(); ++i) {
      const Domain* domain = find_domain(docs[i].domain);
      if (domain && i == 0) variate(stem, *domain, *args[0]);
      if (domain && i > 0 && !docs[i].role.empty()) argument(stem, *domain, *args[i], docs[i].role, i);
    }
  }

  void variate(const std::string& stem, const Domain& domain, const Expr& arg) {
    const std::string support = " distribution, which has " + std::string(domain.text) + " support, but ";
    const OutputVar* given = parameter(arg);
    if (given && !domain.declared(given->transform))
      warn(arg.span, "Parameter " + given->name + " is given " + lower_article(stem) + support + given->name +
                         " was not constrained to be " + std::string(domain.text) + ".");
    const auto value = signed_literal(arg);
    if (value && !domain.literal(*value))
      warn(arg.span, "Value " + literal_text(arg) + " is given " + lower_article(stem) + support + literal_text(arg) +
                         " is not " + std::string(domain.text) + ".");
  }

  static std::string lower_article(const std::string& stem) {
    std::string text = article(stem);
    text[0] = 'a';
    return text;
  }

  void argument(const std::string& stem, const Domain& domain, const Expr& arg, std::string_view role,
                std::size_t number) {
    const std::string place = " as " + std::string(role) + " (argument " + std::to_string(number) + "), but ";
    const OutputVar* given = parameter(arg);
    if (given && !domain.declared(given->transform))
      warn(arg.span, article(stem) + " distribution is given parameter " + given->name + place + given->name +
                         " was not constrained to be " + std::string(domain.text) + ".");
    const auto value = signed_literal(arg);
    if (value && !domain.literal(*value))
      warn(arg.span, article(stem) + " distribution is given value " + literal_text(arg) + place + literal_text(arg) +
                         " is not " + std::string(domain.text) + "." + division_of_ints(arg));
  }

  /// A number that the program writes as a division of ints.
  std::string division_of_ints(const Expr& arg) const {
    const std::string_view written = sources_.text(arg.span);
    const std::size_t slash = written.find('/');
    const bool digits = written.find_first_not_of("0123456789 /()") == written.npos;
    if (!digits || slash == written.npos || slash != written.rfind('/')) return "";
    const auto number = [](std::string_view text) {
      const std::size_t begin = text.find_first_of("0123456789"), end = text.find_last_of("0123456789");
      return begin == text.npos ? std::string() : std::string(text.substr(begin, end + 1 - begin));
    };
    const std::string left = number(written.substr(0, slash)), right = number(written.substr(slash + 1));
    return " " + left + " / " + right + " is a division of ints, which drops the fraction; write " + left + ".0 / " + right + ".";
  }

  void special_advice(const std::string& stem, const Expr& call, const std::vector<ExprPtr>& args) {
    if (stem == "lkj_corr")
      warn(call.span,
           "It is suggested to reparameterize your model to replace lkj_corr with lkj_corr_cholesky, the Cholesky "
           "factor variant. lkj_corr tends to run slower, consume more memory, and has higher risk of "
           "numerical errors.");
    if ((stem == "gamma" || stem == "inv_gamma") && args.size() == 3) vague_gamma(args);
    if (stem == "uniform" && args.size() == 3) uniform(call, args);
  }

  void vague_gamma(const std::vector<ExprPtr>& args) {
    const auto shape = signed_literal(*args[1]), scale = signed_literal(*args[2]);
    if (!shape || !scale || *shape != *scale || *shape >= 1) return;
    warn(args[1]->span,
         "There is a gamma or inverse-gamma distribution with parameters that are equal to each other and set "
         "to values less than 1. This is mathematically acceptable and can make sense in some problems, "
         "but typically we see this model used as an attempt to assign a noninformative prior "
         "distribution. In fact, priors such as inverse-gamma(.001,.001) can be very strong, as "
         "explained by Gelman (2006). Instead we recommend something like a normal(0,1) or "
         "student_t(4,0,1), with parameter constrained to be positive.");
  }

  void uniform(const Expr& call, const std::vector<ExprPtr>& args) {
    const OutputVar* given = parameter(*args[0]);
    if (!given || !contradicts(declared_range(given->transform), args)) return;
    warn(call.span,
         "Parameter " + given->name +
             " is given a uniform distribution. The uniform distribution is not "
             "recommended, for two reasons: (a) Except when there are logical or physical constraints, it is "
             "very unusual for you to be sure that a parameter will fall inside a specified range, and (b) The "
             "infinite gradient induced by a uniform density can cause difficulties for Stan's sampling "
             "algorithm. As a consequence, we recommend soft constraints rather than hard constraints; for "
             "example, instead of giving an elasticity parameter a uniform(0, 1) distribution, try normal(0.5, "
             "0.5).");
  }

  // The first pair of literals decides.
  static bool contradicts(const Range& declared, const std::vector<ExprPtr>& args) {
    if (declared.lower.kind == Limit::Kind::Missing || declared.upper.kind == Limit::Kind::Missing) return true;
    const std::pair<Limit, const ExprPtr&> pairs[] = {{declared.lower, args[1]}, {declared.upper, args[2]}};
    for (const auto& [limit, arg] : pairs) {
      const auto value = signed_literal(*arg);
      if (value && limit.kind == Limit::Kind::Literal) return *value != limit.value;
    }
    return false;
  }

  // ---- statements of the model

  static const FunApp* density(const Stmt& stmt) {
    const auto* term = std::get_if<TargetPE>(&stmt.node);
    const FunApp* call = term ? as_call(*term->value) : nullptr;
    if (!call || call->args.empty()) return nullptr;
    const auto* library = std::get_if<StanLib>(&call->fn);
    const auto* user = std::get_if<UserDefined>(&call->fn);
    const Suffix suffix = library ? library->suffix : user ? user->suffix : Suffix::Plain;
    return suffix == Suffix::Lpdf || suffix == Suffix::Lpmf ? call : nullptr;
  }

  void missing_jacobian(const Stmt& stmt) {
    const FunApp* call = density(stmt);
    if (!call || is_linear(*call->args[0])) return;
    warn(stmt.span,
         "Left-hand side of distribution statement (~) may contain a non-linear transform of a parameter or local "
         "variable. If it does, you need to include a target += statement with the log absolute determinant "
         "of the Jacobian of the transform.");
  }

  void repeated_distributions() {
    std::map<std::string, std::vector<Span>> places;
    for (const StmtPtr& top : program_.log_prob)
      each_substmt(*top, [&](const Stmt& stmt) {
        const auto* term = std::get_if<TargetPE>(&stmt.node);
        const FunApp* call = term ? as_call(*term->value) : nullptr;
        const Var* first = call && !call->args.empty() ? as_var(*call->args[0]) : nullptr;
        if (first) places[first->name].push_back(stmt.span);
      });
    for (const auto& [name, spans] : places)
      if (spans.size() > 1)
        warn(spans.front(),
             "The parameter " + name + " is on the left-hand side of more than one distribution statement.");
  }

  // ---- declarations

  void hard_constraints() {
    for (const auto& [name, output] : parameters_) {
      const Transform& transform = output->transform;
      const Range bounds = declared_range(transform);
      if (transform.kind != TransformKind::LowerUpper || bounds.lower.kind != Limit::Kind::Literal ||
          bounds.upper.kind != Limit::Kind::Literal)
        continue;
      const double low = bounds.lower.value, high = bounds.upper.value;
      if (low >= high)
        nonsense_constraint(*output);
      else if (!(high == 1 && (low == 0 || low == -1)))
        hard_constraint(*output);
    }
  }

  void nonsense_constraint(const OutputVar& output) {
    warn(output.span, "Parameter " + output.name +
                          " has constraints that don't make sense. The lower bound should be strictly "
                          "less than the upper bound.");
  }

  void hard_constraint(const OutputVar& output) {
    warn(output.span,
         "Your Stan program has a parameter " + output.name +
             " with a lower and upper bound in its declaration. "
             "These hard constraints are not recommended, for two reasons: (a) Except when there are logical "
             "or physical constraints, it is very unusual for you to be sure that a parameter will fall inside "
             "a specified range, and (b) The infinite gradient induced by a hard constraint can cause "
             "difficulties for Stan's sampling algorithm. As a consequence, we recommend soft constraints "
             "rather than hard constraints; for example, instead of constraining an elasticity parameter to "
             "fall between 0, and 1, leave it unconstrained and give it a normal(0.5, 0.5) prior "
             "distribution.");
  }

  // ---- control flow

  static bool is_control(const Stmt& stmt) {
    return std::holds_alternative<IfElse>(stmt.node) || std::holds_alternative<While>(stmt.node) ||
           std::holds_alternative<For>(stmt.node);
  }

  // Those of the given names, listed.
  static std::string list_of(const Names& found, const Names& wanted) {
    std::string out;
    for (const std::string& name : found)
      if (wanted.contains(name)) out += (out.empty() ? "" : ", ") + name;
    return out;
  }

  void control_flow() {
    const auto& nodes = model_.graph().nodes;
    for (std::size_t n = 1; n < nodes.size(); ++n) {
      if (!is_control(*nodes[n].stmt)) continue;
      const std::string found = list_of(model_.influences(static_cast<int>(n), {}), parameter_names_);
      if (!found.empty()) warn(nodes[n].stmt->span, "A control flow statement depends on parameter(s): " + found + ".");
    }
  }

  void control_flow_in_functions() {
    const auto& nodes = model_.graph().nodes;
    for (std::size_t n = 1; n < nodes.size(); ++n)
      each_expr(*nodes[n].stmt, [&](const Expr& whole) {
        each_child(whole, [&](const Expr& part) {
          each_subexpr(part, [&](const Expr& e) { called_control_flow(static_cast<int>(n), e); });
        });
      });
  }

  void called_control_flow(int node, const Expr& expr) {
    const FunApp* call = as_call(expr);
    const auto* callee = call ? std::get_if<UserDefined>(&call->fn) : nullptr;
    const Function* function = callee ? ranges_.definition(*callee, call->args) : nullptr;
    if (!function) return;
    const Dependence inner({function->body});
    for (std::size_t i = 0; i < call->args.size(); ++i) {
      const Names actual = model_.influences(node, variables(*call->args[i]), {});
      const std::string found = list_of(actual, parameter_names_);
      if (found.empty()) continue;
      for (std::size_t n = 1; n < inner.graph().nodes.size(); ++n) {
        const Stmt& stmt = *inner.graph().nodes[n].stmt;
        if (!is_control(stmt) || !inner.influences(static_cast<int>(n), {}).contains(function->args[i].name)) continue;
        warn(stmt.span, "A control flow statement inside function " + function->name + " depends on argument " +
                            function->args[i].name + ". At " + location_text(sources_, expr.span) + ", the value of " +
                            function->args[i].name + " depends on parameter(s): " + found + ".");
      }
    }
  }

  // ---- priors

  /// Data and transformed data, without the scalar ints of the data block: those are sizes and indexes.
  Names data_names() const {
    Names names;
    Names scalar_ints;
    for (const InputVar& input : program_.input_vars) {
      if (input.type.type().is(BaseType::Int))
        scalar_ints.insert(input.name);
      else
        names.insert(input.name);
    }
    for (const StmtPtr& stmt : program_.prepare_data) {
      const auto* decl = std::get_if<Decl>(&stmt->node);
      if (decl && decl->init != Decl::Init::Assign && !scalar_ints.contains(decl->id)) names.insert(decl->id);
    }
    return names;
  }

  static void summands(const Expr& expr, std::vector<const Expr*>& out) {
    const FunApp* call = as_call(expr, Builtin::Plus);
    if (!call) return out.push_back(&expr);
    summands(*call->args[0], out);
    summands(*call->args[1], out);
  }

  static bool is_effect(const NRFunApp& call) {
    if (const CompilerInternal* fn = as_internal(call.fn))
      return fn->fn == Internal::FnReject || fn->fn == Internal::FnFatalError;
    const auto* user = std::get_if<UserDefined>(&call.fn);
    return user && user->suffix == Suffix::Target;
  }

  /// The variables each factor touches.
  std::vector<Names> factors(const Names& leaves) const {
    std::vector<Names> out;
    const auto add = [&](int node, const Names& read) {
      Names touched;
      for (const std::string& name : model_.influences(node, read, leaves))
        if (leaves.contains(name)) touched.insert(name);
      out.push_back(std::move(touched));
    };
    const auto& nodes = model_.graph().nodes;
    for (std::size_t n = 1; n < nodes.size(); ++n) {
      const Stmt& stmt = *nodes[n].stmt;
      const auto* term = std::get_if<TargetPE>(&stmt.node);
      const auto* jacobian = std::get_if<JacobianPE>(&stmt.node);
      const auto* call = std::get_if<NRFunApp>(&stmt.node);
      std::vector<const Expr*> parts;
      if (term) summands(*term->value, parts);
      if (jacobian) summands(*jacobian->value, parts);
      for (const Expr* part : parts) add(static_cast<int>(n), variables(*part));
      if (!call || !is_effect(*call)) continue;
      Names read;
      for (const ExprPtr& arg : call->args) read.merge(variables(*arg));
      add(static_cast<int>(n), read);
    }
    return out;
  }

  void priors() {
    const Names data = data_names();
    Names leaves = data;
    leaves.insert(parameter_names_.begin(), parameter_names_.end());
    const FactorGraph graph(factors(leaves), data);
    for (const auto& entry : parameters_) {
      const OutputVar& output = *entry.second;
      if (graph.factors_of(output.name).empty())
        warn(output.span,
             "The parameter " + output.name + " was declared but was not used in the density calculation.");
      else if (counted_ == PriorWarnings::With)
        count_priors(output, graph);
    }
  }

  void count_priors(const OutputVar& output, const FactorGraph& graph) {
    const auto count = std::ranges::count_if(graph.factors_of(output.name), [&](std::size_t factor) {
      return !graph.reaches_data(factor, output.name);
    });
    if (count == 0)
      warn(output.span, "The parameter " + output.name +
                            " has no priors. This means either no prior is provided, or the "
                            "prior(s) depend on data variables. In the later case, this may be a false positive.");
    if (count > 1) warn(output.span, "The parameter " + output.name + " has " + std::to_string(count) + " priors.");
  }

  const Program& program_;
  const SourceMap& sources_;
  PriorWarnings counted_;
  Dependence model_;
  Ranges ranges_;
  std::map<std::string, const OutputVar*> parameters_;
  Names parameter_names_;
  std::vector<Warning> out_;
};

// Propagation brings together what the author spread over variables; nothing that carries derivatives is moved.
Program prepared(Program program) {
  PassContext context;
  context.preserve_stability = true;
  for (const Pass* pass : {&kConstantPropagation, &kCopyPropagation, &kConstantPropagation, &kPartialEvaluation,
                           &kCopyPropagation, &kConstantPropagation})
    pass->run(program, context);
  return program;
}

}  // namespace

std::vector<Warning> pedantic_warnings(const Program& program, const SourceMap& sources, PriorWarnings priors) {
  std::vector<Warning> out = uninitialised_warnings(program, sources);
  const Program simple = prepared(program);
  for (Warning& warning : Pedantic(simple, sources, priors).run()) out.push_back(std::move(warning));
  for (Warning& warning : domain_warnings(simple, sources)) out.push_back(std::move(warning));
  return sorted_once(std::move(out), sources);
}

}  // namespace fermiac::mir
