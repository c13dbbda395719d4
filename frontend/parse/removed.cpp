// Features that the language no longer has: they are recognised, reported with what replaced them, and rewritten.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/removed.h"
#include "frontend/parse/parse.h"
#include "support/base/match.h"

namespace fermiac::parse {
namespace {

using namespace ast;

ExprPtr parenthesised(ExprPtr inner) {
  auto outer = std::make_unique<Expr>();
  outer->span = inner->span;
  outer->node = Paren{std::move(inner)};
  return outer;
}

std::string without(std::string_view name, std::string_view ending) {
  return std::string(name.substr(0, name.size() - ending.size()));
}

/// `normal_lpdf` for `normal`, `poisson_lpmf` for `poisson`; empty for what is no distribution.
std::string density_of(std::string_view stem) {
  if (!find_distribution(stem)) return "";
  for (const std::string_view ending : {"_lpmf", "_lpdf"})
    if (std::string name = std::string(stem) + std::string(ending); is_builtin(name)) return name;
  return "";
}

class Rewriter {
 public:
  Rewriter(Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {
    for (const FunctionDef& function : program.functions) own_.insert(function.name.text);
  }

  void keep(const std::vector<std::string>& names) { own_.insert(names.begin(), names.end()); }

  void run() {
    rename_own_densities();
    for (FunctionDef& function : program_.functions)
      if (function.body) statement(*function.body);
    for (auto* block : {&program_.data, &program_.transformed_data, &program_.parameters,
                        &program_.transformed_parameters, &program_.model, &program_.generated_quantities})
      if (*block) list((*block)->body);
  }

 private:
  void report(const Name& name, const std::string& now) {
    diagnostics_.report(name.span, kRemovedFeature,
                        "'" + name.text + "' was removed from the language. Write " + now + " instead.");
  }
  bool is_own(const std::string& name) const { return own_.contains(name); }

  // ---- densities of the program that are called foo_log

  void rename_own_densities() {
    std::set<std::string> stems;
    collect(stems);
    for (FunctionDef& function : program_.functions) {
      if (!function.name.text.ends_with("_log")) continue;
      const std::string stem = without(function.name.text, "_log");
      if (!stems.contains(stem) || function.args.empty()) continue;
      const bool discrete = function.args.front().type.type().is_discrete();
      const std::string now = stem + (discrete ? "_lpmf" : "_lpdf");
      report(function.name, "'" + now + "', so that '~' finds it");
      renamed_.emplace_back(function.name.text, now);
      function.name.text = now;
    }
  }
  /// Names after `~` for which only a function `NAME_log` exists.
  void collect(std::set<std::string>& stems) {
    visit_tildes_ = &stems;
    for (FunctionDef& function : program_.functions)
      if (function.body) statement(*function.body);
    if (program_.model) list(program_.model->body);
    visit_tildes_ = nullptr;
  }

  // ---- walking

  void list(std::vector<StmtPtr>& body) {
    for (StmtPtr& item : body) statement(*item);
  }
  void all(std::vector<ExprPtr>& items) {
    for (ExprPtr& item : items) expression(item);
  }
  void type(DeclaredType& declared) {
    all(declared.array_sizes);
    all(declared.sizes);
    expression(declared.first);
    expression(declared.second);
    for (DeclaredType& slot : declared.slots) type(slot);
  }

  void statement(Stmt& stmt) {
    if (auto* call = std::get_if<ProcedureCall>(&stmt.node)) return procedure(stmt, *call);
    match(
        stmt.node,
        [&](Declaration& node) {
          type(node.type);
          for (Declarator& declarator : node.names) expression(declarator.init);
        },
        [&](Assignment& node) {
          expression(node.left);
          expression(node.right);
        },
        [](ProcedureCall&) {}, [&](TargetPlus& node) { expression(node.value); },
        [&](JacobianPlus& node) { expression(node.value); }, [&](Tilde& node) { tilde(node); }, [](Break&) {},
        [](Continue&) {}, [&](Return& node) { expression(node.value); }, [&](Print& node) { all(node.items); },
        [&](If& node) {
          expression(node.test);
          statement(*node.yes);
          if (node.no) statement(*node.no);
        },
        [&](While& node) {
          expression(node.test);
          statement(*node.body);
        },
        [&](ForRange& node) {
          expression(node.low);
          expression(node.high);
          statement(*node.body);
        },
        [&](ForEach& node) {
          expression(node.container);
          statement(*node.body);
        },
        [&](Profile& node) { list(node.body); }, [&](Block& node) { list(node.body); }, [](Skip&) {});
  }

  void expression(ExprPtr& expr) {
    if (!expr || visit_tildes_) return;
    match(
        expr->node, [](IntLiteral&) {}, [](RealLiteral&) {}, [](ImagLiteral&) {}, [](StringLiteral&) {},
        [](Variable&) {}, [&](Call& node) { all(node.args); }, [](TargetValue&) {},
        [&](ArrayLiteral& node) { all(node.items); }, [&](RowLiteral& node) { all(node.items); },
        [&](TupleLiteral& node) { all(node.items); }, [&](Paren& node) { expression(node.inner); },
        [&](Binary& node) {
          expression(node.left);
          expression(node.right);
        },
        [&](Unary& node) { expression(node.operand); },
        [&](Ternary& node) {
          expression(node.test);
          expression(node.yes);
          expression(node.no);
        },
        [&](Projection& node) { expression(node.tuple); },
        [&](Indexed& node) {
          expression(node.base);
          for (Index& index : node.indexes) {
            expression(index.low);
            expression(index.high);
          }
        });
    if (std::holds_alternative<Call>(expr->node)) call(*expr);
  }

  // ---- what is replaced

  void procedure(Stmt& stmt, ProcedureCall& node) {
    if (visit_tildes_) return;
    all(node.args);
    if (node.name.text != "increment_log_prob" || is_own(node.name.text) || node.args.size() != 1) return;
    report(node.name, "'target += ...'");
    ExprPtr value = std::move(node.args.front());
    stmt.node = TargetPlus{std::move(value)};
  }

  void tilde(Tilde& node) {
    expression(node.variate);
    all(node.args);
    if (node.truncation) expression(node.truncation->lower), expression(node.truncation->upper);
    std::string& name = node.distribution.text;
    if (visit_tildes_) {
      if (!find_distribution(name) && is_own(name + "_log") && !is_own(name + "_lpdf") && !is_own(name + "_lpmf"))
        visit_tildes_->insert(name);
      return;
    }
    if (!name.ends_with("_log") || find_distribution(name) || is_own(name + "_lpdf") || is_own(name + "_lpmf")) return;
    const std::string stem = without(name, "_log");
    if (!find_distribution(stem)) return;
    report(node.distribution, "'" + stem + "' after '~'");
    name = stem;
  }

  void call(Expr& expr) {
    auto& node = std::get<Call>(expr.node);
    std::string& name = node.name.text;
    for (const auto& [old, now] : renamed_)
      if (name == old) {
        name = now;
        node.conditional = node.args.size() > 1;
        return;
      }
    if (name.ends_with("_cdf") && !node.conditional && node.args.size() > 1 && (is_own(name) || is_builtin(name))) {
      report_bar(node);
      node.conditional = true;
      return;
    }
    if (is_own(name) || is_builtin(name)) return;
    for (const RemovedFunction& row : kRemovedFunctions)
      if (name == row.old && is_builtin(row.now)) {
        report(node.name, "'" + std::string(row.now) + "'");
        name = row.now;
        return;
      }
    if (name == "get_lp" && node.args.empty()) {
      report(node.name, "'target()'");
      expr.node = TargetValue{};
    } else if (name == "if_else" && node.args.size() == 3) {
      choice(expr, node);
    } else {
      density(node);
    }
  }

  void report_bar(const Call& node) {
    diagnostics_.report(node.name.span, kRemovedFeature,
                        "Calling '" + node.name.text +
                            "' with a comma after the first argument was removed from the "
                            "language. Write a vertical bar instead.");
  }

  void choice(Expr& expr, Call& node) {
    report(node.name, "the operator '? :'");
    auto inner = std::make_unique<Expr>();
    inner->span = expr.span;
    inner->node = Ternary{parenthesised(std::move(node.args[0])), std::move(node.args[1]), std::move(node.args[2])};
    expr.node = Paren{std::move(inner)};
  }

  void density(Call& node) {
    std::string& name = node.name.text;
    std::string now;
    if (name.ends_with("_ccdf_log"))
      now = without(name, "_ccdf_log") + "_lccdf";
    else if (name.ends_with("_cdf_log"))
      now = without(name, "_cdf_log") + "_lcdf";
    else if (name.ends_with("_log"))
      now = density_of(without(name, "_log"));
    if (now.empty() || !is_builtin(now)) return;
    report(node.name, "'" + now + "' with a vertical bar after the first argument");
    name = now;
    node.conditional = node.args.size() > 1;
  }

  Program& program_;
  Diagnostics& diagnostics_;
  std::set<std::string> own_;
  std::vector<std::pair<std::string, std::string>> renamed_;
  std::set<std::string>* visit_tildes_ = nullptr;  // only collect, see `collect`
};

/// Whether something may have to be done about a name.
bool is_suspect(const lex::Token& token) {
  if (token.kind != lex::Tok::Identifier) return false;
  if (token.text.ends_with("_log") || token.text.ends_with("_cdf")) return true;
  return std::ranges::find(kRemovedFunctions, token.text, &RemovedFunction::old) != std::end(kRemovedFunctions);
}

}  // namespace

void replace_removed_functions(Program& program, const lex::TokenStream& stream, Diagnostics& diagnostics) {
  if (std::ranges::any_of(stream.tokens, is_suspect)) Rewriter(program, diagnostics).run();
}

void replace_removed_functions(Program& pieces, const std::vector<std::string>& own, Diagnostics& diagnostics) {
  Rewriter rewriter(pieces, diagnostics);
  rewriter.keep(own);
  rewriter.run();
}

}  // namespace fermiac::parse
