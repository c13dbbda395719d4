#include "frontend/check/annotations.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "frontend/ast/blocks.h"
#include "frontend/check/messages.h"
#include "frontend/check/scope.h"
#include "support/base/text.h"

namespace fermiac::check {
namespace {

enum Place : unsigned { kVariable = 1, kFunction = 2 };

struct Known {
  std::string_view name;
  unsigned places;
  std::string_view not_in_cpp;  // why C++ for Stan Math ignores it; empty: it does not
};
constexpr Known kKnown[] = {{"inline", kFunction, ""},
                            {"likely", kVariable | kFunction, ""},
                            {"unlikely", kVariable | kFunction, ""},
                            {"const", kVariable, ""},
                            {"gpu", kVariable | kFunction, "only 'fermiac --device' evaluates on a device at its request"},
                            {"extern", kFunction, ""},
                            {"grad_adj_jac", kFunction, "gradients there are by automatic differentiation; 'fermiac' uses it"}};

constexpr auto kUnknown = warning<S, S>(DiagId::W2022, "Annotation '@{}' is unknown and ignored. {}");
constexpr auto kMisplaced =
    warning<S, S>(DiagId::W2023, "Annotation '@{}' means nothing before a {} declaration and is ignored.");
constexpr auto kConstElement = warning<S>(
    DiagId::W2024,
    "Variable '{}' is declared @const, which promises that it is only assigned as a whole, but a part of it is "
    "assigned here.");
constexpr auto kAdjoint = warning<S, S>(DiagId::W2025, "Annotation '@{}' is ignored: {}.");
constexpr auto kNotInCpp = warning<S, S>(DiagId::W2026, "Annotation '@{}' has no effect in the C++ that stanc writes: {}.");

std::string suggestion(std::string_view name) {
  const auto nearest =
      std::ranges::min_element(kKnown, {}, [&](const Known& known) { return edit_distance(name, known.name); });
  if (edit_distance(name, nearest->name) <= std::max<std::size_t>(2, name.size() / 3))
    return "Did you mean '@" + std::string(nearest->name) + "'?";
  std::string all;
  for (const Known& known : kKnown) all += (all.empty() ? "@" : ", @") + std::string(known.name);
  return "Known are " + all + ".";
}

class Annotations {
 public:
  Annotations(const ast::Program& program, bool for_cpp, Diagnostics& diagnostics, const std::set<std::string>& constants)
      : program_(program), for_cpp_(for_cpp), diagnostics_(diagnostics), const_(constants) {}

  void run() {
    for (const ast::FunctionDef& function : program_.functions) {
      for (const ast::Annotation& a : function.annotations)
        if (const Known* known = check(a, kFunction, "function"))
          if (known->name != "grad_adj_jac" || adjoint(a, function)) in_cpp(a, *known);
      if (function.body) in_scope([&] { statement(*function.body); });
    }
    for (const ast::BlockRow& row : ast::kStatementBlocks)
      if (const std::optional<ast::ProgramBlock>& block = program_.*row.block)
        for (const ast::StmtPtr& stmt : block->body) statement(*stmt);
  }

 private:
  /// Null unless it is known and in its place.
  const Known* check(const ast::Annotation& annotation, Place place, const char* kind) {
    const std::string name = annotation_name(annotation.text);
    const auto known = std::ranges::find(kKnown, name, &Known::name);
    if (known == std::end(kKnown))
      diagnostics_.report(annotation.span, kUnknown, name, suggestion(name));
    else if (!(known->places & place))
      diagnostics_.report(annotation.span, kMisplaced, name, kind);
    else
      return known;
    return nullptr;
  }

  void in_cpp(const ast::Annotation& annotation, const Known& known) {
    if (for_cpp_ && !known.not_in_cpp.empty())
      diagnostics_.report(annotation.span, kNotInCpp, annotation.text, std::string(known.not_in_cpp));
  }

  /// False, after a warning, if it does not fit.
  bool adjoint(const ast::Annotation& annotation, const ast::FunctionDef& function) {
    const std::string wrong = wrong_adjoint(annotation_arguments(annotation.text), function);
    if (!wrong.empty()) diagnostics_.report(annotation.span, kAdjoint, annotation.text, wrong);
    return wrong.empty();
  }

  std::string wrong_adjoint(const std::vector<std::string>& arguments, const ast::FunctionDef& function) {
    if (arguments.size() != 2)
      return "it takes a function and the number of one of its arguments, as in @grad_adj_jac(f, 1)";
    std::size_t number = 0;
    std::from_chars(arguments[1].data(), arguments[1].data() + arguments[1].size(), number);
    std::string wrong = "no function is called '" + arguments[0] + "'";
    for (const ast::FunctionDef& target : program_.functions) {
      if (target.name.text != arguments[0]) continue;
      wrong = wrong_adjoint_of(target, number, arguments[1], function);
      if (!wrong.empty()) continue;
      const std::string& first = adjoints_.try_emplace({&target, number}, function.name.text).first->second;
      return first == function.name.text ? "" : second_adjoint(target, number, first);
    }
    return wrong;
  }

  static std::string second_adjoint(const ast::FunctionDef& target, std::size_t number, const std::string& first) {
    return "'" + first + "' is that already for argument number " + std::to_string(number) + " of '" +
           target.name.text + "'";
  }

  static std::string wrong_adjoint_of(const ast::FunctionDef& target, std::size_t number, const std::string& written,
                                      const ast::FunctionDef& function) {
    const std::string name = "'" + target.name.text + "'";
    if (number < 1 || number > target.args.size()) return name + " has no argument number " + written;
    if (suffix_of(target.name.text) != Suffix::Plain)
      return "only functions without an ending like _lpdf or _rng can have one, unlike " + name;
    if (!target.result || !has_adjoint(target.result->type()))
      return name + " does not return reals or a container of them";
    const ast::FunctionArgument& argument = target.args[number - 1];
    if (argument.data_only || !has_adjoint(argument.type.type()))
      return "argument number " + written + " of " + name + " carries no derivatives, or is a tuple or complex";
    return wrong_signature(target, argument.type.type(), function);
  }

  static std::string wrong_signature(const ast::FunctionDef& target, const Type& result,
                                     const ast::FunctionDef& function) {
    std::vector<Type> wanted = types_of(target);
    wanted.push_back(target.result->type());
    if (types_of(function) == wanted && function.result && function.result->type() == result) return "";
    return "'" + function.name.text + "' must take the arguments of '" + target.name.text +
           "' and the adjoint of its result, " + listed(wanted) + ", and return " + result.str() + ", but takes " +
           listed(types_of(function)) + " and returns " + (function.result ? function.result->type().str() : "nothing");
  }

  static std::vector<Type> types_of(const ast::FunctionDef& function) {
    std::vector<Type> out;
    for (const ast::FunctionArgument& arg : function.args) out.push_back(arg.type.type());
    return out;
  }
  static std::string listed(const std::vector<Type>& types) {
    std::string out;
    for (const Type& type : types) out += (out.empty() ? "" : ", ") + type.str();
    return "(" + out + ")";
  }

  // ---- variables that are @const

  template <class Body>
  void in_scope(const Body& body) {
    const auto outer = const_;
    body();
    const_ = outer;
  }

  void declaration(const ast::Declaration& node) {
    for (const ast::Annotation& a : node.annotations)
      if (const Known* known = check(a, kVariable, "variable")) in_cpp(a, *known);
    for (const ast::Declarator& declared : node.names) {
      const_.erase(declared.name.text);
      if (has_annotation(node.annotations, "const")) const_.insert(declared.name.text);
    }
  }

  /// The variable whose part the destination is; null for a whole variable.
  static const ast::Variable* partly_assigned(const ast::Expr& left, bool part = false) {
    if (const auto* v = std::get_if<ast::Variable>(&left.node)) return part ? v : nullptr;
    if (const auto* i = std::get_if<ast::Indexed>(&left.node)) return partly_assigned(*i->base, true);
    if (const auto* p = std::get_if<ast::Projection>(&left.node)) return partly_assigned(*p->tuple, true);
    if (const auto* p = std::get_if<ast::Paren>(&left.node)) return partly_assigned(*p->inner, part);
    return nullptr;
  }

  void destination(const ast::Expr& left) {
    if (const auto* several = std::get_if<ast::TupleLiteral>(&left.node))
      for (const ast::ExprPtr& item : several->items) destination(*item);
    const ast::Variable* variable = partly_assigned(left);
    if (variable && const_.contains(variable->name.text))
      diagnostics_.report(left.span, kConstElement, variable->name.text);
  }

  void statement(const ast::Stmt& stmt) {
    if (const auto* node = std::get_if<ast::Declaration>(&stmt.node)) declaration(*node);
    if (const auto* node = std::get_if<ast::Assignment>(&stmt.node)) destination(*node->left);
    const auto inner = [&](const ast::StmtPtr& body) {
      if (body) in_scope([&] { statement(*body); });
    };
    const auto list = [&](const std::vector<ast::StmtPtr>& body) {
      in_scope([&] {
        for (const ast::StmtPtr& s : body) statement(*s);
      });
    };
    if (const auto* node = std::get_if<ast::If>(&stmt.node)) inner(node->yes), inner(node->no);
    if (const auto* node = std::get_if<ast::While>(&stmt.node)) inner(node->body);
    if (const auto* node = std::get_if<ast::ForRange>(&stmt.node)) inner(node->body);
    if (const auto* node = std::get_if<ast::ForEach>(&stmt.node)) inner(node->body);
    if (const auto* node = std::get_if<ast::Block>(&stmt.node)) list(node->body);
    if (const auto* node = std::get_if<ast::Profile>(&stmt.node)) list(node->body);
  }

  const ast::Program& program_;
  bool for_cpp_;
  Diagnostics& diagnostics_;
  std::set<std::string> const_;
  std::map<std::pair<const ast::FunctionDef*, std::size_t>, std::string> adjoints_;  // by function and argument
};

}  // namespace

std::string annotation_name(const std::string& text) {
  return text.substr(0, text.find('('));
}

std::vector<std::string> annotation_arguments(const std::string& text) {
  std::vector<std::string> out;
  const std::size_t open = text.find('(');
  if (open == std::string::npos) return out;
  out.emplace_back();
  for (const char c : text.substr(open + 1)) {
    if (c == ')') break;
    if (c == ',')
      out.emplace_back();
    else if (c != ' ' && c != '\t' && c != '\n')
      out.back() += c;
  }
  return out;
}

bool has_adjoint(const Type& type) {
  const BaseType base = type.base();
  return base == BaseType::Real || base == BaseType::Vector || base == BaseType::RowVector || base == BaseType::Matrix;
}

bool has_annotation(const std::vector<ast::Annotation>& annotations, std::string_view name) {
  return std::ranges::any_of(annotations, [&](const ast::Annotation& a) { return annotation_name(a.text) == name; });
}

void check_annotations(const ast::Program& program, bool for_cpp, Diagnostics& diagnostics,
                       const std::set<std::string>& constants) {
  Annotations(program, for_cpp, diagnostics, constants).run();
}

}  // namespace fermiac::check
