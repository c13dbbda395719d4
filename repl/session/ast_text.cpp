// The syntax tree as indented text, one node a line.
#include <array>
#include <string_view>

#include "frontend/ast/blocks.h"
#include "repl/session/program_text.h"
#include "support/base/match.h"

namespace fermiac::repl {
namespace {

constexpr std::array<std::string_view, 19> kBinary{"+", "-", "*", "/", "%/%", "%", "\\", ".*", "./", "^",
                                                   ".^", "||", "&&", "==", "!=", "<", "<=", ">", ">="};
constexpr std::array<std::string_view, 4> kUnary{"+", "-", "!", "'"};
constexpr std::array<std::string_view, 5> kIndex{"all", "single", "from", "to", "between"};

class Tree {
 public:
  explicit Tree(int indent) : indent_(indent) {}
  std::string take() { return std::move(text_); }

  void expr(const ast::Expr& e) {
    match(
        e.node, [&](const ast::IntLiteral& n) { line("Int " + n.text, e); },
        [&](const ast::RealLiteral& n) { line("Real " + n.text, e); },
        [&](const ast::ImagLiteral& n) { line("Imaginary " + n.text, e); },
        [&](const ast::StringLiteral& n) { line("String \"" + n.text + "\"", e); },
        [&](const ast::Variable& n) { line("Variable " + n.name.text, e); },
        [&](const ast::Call& n) { node("Call " + n.name.text + (n.conditional ? " |" : ""), e, n.args); },
        [&](const ast::TargetValue&) { line("Target", e); }, [&](const ast::ArrayLiteral& n) { node("Array", e, n.items); },
        [&](const ast::RowLiteral& n) { node("Row", e, n.items); },
        [&](const ast::TupleLiteral& n) { node("Tuple", e, n.items); },
        [&](const ast::Paren& n) { node("Paren", e, n.inner); },
        [&](const ast::Binary& n) {
          node("Binary " + std::string(kBinary[static_cast<std::size_t>(n.op)]), e, n.left, n.right);
        },
        [&](const ast::Unary& n) { node("Unary " + std::string(kUnary[static_cast<std::size_t>(n.op)]), e, n.operand); },
        [&](const ast::Ternary& n) { node("Ternary", e, n.test, n.yes, n.no); },
        [&](const ast::Projection& n) { node("Projection ." + n.slot, e, n.tuple); },
        [&](const ast::Indexed& n) {
          line("Indexed", e);
          const Deeper deeper(*this);
          expr(*n.base);
          for (const ast::Index& i : n.indexes) {
            line("Index " + std::string(kIndex[static_cast<std::size_t>(i.kind)]));
            children(i.low, i.high);
          }
        });
  }

  void stmt(const ast::Stmt& s) {
    match(
        s.node, [&](const ast::Declaration& n) { declaration(n); },
        [&](const ast::Assignment& n) {
          line("Assignment " + (n.op ? std::string(kBinary[static_cast<std::size_t>(*n.op)]) : std::string()) + "=");
          children(n.left, n.right);
        },
        [&](const ast::ProcedureCall& n) {
          line("ProcedureCall " + n.name.text);
          children(n.args);
        },
        [&](const ast::TargetPlus& n) { with("TargetPlus", n.value); },
        [&](const ast::JacobianPlus& n) { with("JacobianPlus", n.value); },
        [&](const ast::Tilde& n) {
          line("Tilde " + n.distribution.text);
          children(n.variate, n.args);
          if (!n.truncation) return;
          const Deeper deeper(*this);
          with("Truncation", n.truncation->lower, n.truncation->upper);
        },
        [&](const ast::Break&) { line("Break"); }, [&](const ast::Continue&) { line("Continue"); },
        [&](const ast::Return& n) { with("Return", n.value); },
        [&](const ast::Print& n) {
          static constexpr std::array<std::string_view, 3> kKinds{"Print", "Reject", "FatalError"};
          with(std::string(kKinds[static_cast<std::size_t>(n.kind)]), n.items);
        },
        [&](const ast::If& n) { with("If", n.test, n.yes, n.no); },
        [&](const ast::While& n) { with("While", n.test, n.body); },
        [&](const ast::ForRange& n) { with("For " + n.variable.text + " in range", n.low, n.high, n.body); },
        [&](const ast::ForEach& n) { with("For " + n.variable.text + " in container", n.container, n.body); },
        [&](const ast::Profile& n) { with("Profile " + n.name, n.body); },
        [&](const ast::Block& n) { with("Block", n.body); }, [&](const ast::Skip&) { line("Skip"); });
  }

  void function(const ast::FunctionDef& f) {
    line("Function " + (f.result ? f.result->type().str() : "void") + " " + f.name.text);
    const Deeper deeper(*this);
    for (const ast::FunctionArgument& a : f.args)
      line("Argument " + std::string(a.data_only ? "data " : "") + a.type.type().str() + " " + a.name.text);
    if (f.body) stmt(*f.body);
  }

  void line(const std::string& text) { text_ += std::string(static_cast<std::size_t>(2 * indent_), ' ') + text + "\n"; }

  template <class... Parts>
  void with(const std::string& text, const Parts&... parts) {
    line(text);
    children(parts...);
  }

 private:
  struct Deeper {
    explicit Deeper(Tree& t) : tree(t) { ++tree.indent_; }
    ~Deeper() { --tree.indent_; }
    Tree& tree;
  };

  void line(const std::string& text, const ast::Expr& e) {
    line(e.type.is_error() ? text : text + " : " + e.type.str());
  }
  template <class... Parts>
  void node(const std::string& text, const ast::Expr& e, const Parts&... parts) {
    line(text, e);
    children(parts...);
  }
  template <class... Parts>
  void children(const Parts&... parts) {
    const Deeper deeper(*this);
    (child(parts), ...);
  }
  void child(const ast::ExprPtr& e) {
    if (e) expr(*e);
  }
  void child(const ast::StmtPtr& s) {
    if (s) stmt(*s);
  }
  template <class T>
  void child(const std::vector<T>& list) {
    for (const T& item : list) child(item);
  }
  void declaration(const ast::Declaration& n) {
    line("Declaration " + n.type.type().str());
    const Deeper deeper(*this);
    type(n.type);
    for (const ast::Declarator& d : n.names) with("Name " + d.name.text, d.init);
  }
  void type(const ast::DeclaredType& t) {
    if (!t.array_sizes.empty()) with("ArraySizes", t.array_sizes);
    if (t.first || t.second) with("Constraint", t.first, t.second);
    if (!t.sizes.empty()) with("Sizes", t.sizes);
    for (const ast::DeclaredType& slot : t.slots) type(slot);
  }

  int indent_;
  std::string text_;
};

}  // namespace

std::string ast_text(const ast::Expr& expr, int indent) {
  Tree tree(indent);
  tree.expr(expr);
  return tree.take();
}

std::string ast_text(const ast::Stmt& stmt, int indent) {
  Tree tree(indent);
  tree.stmt(stmt);
  return tree.take();
}

std::string ast_text(const ast::FunctionDef& function) {
  Tree tree(0);
  tree.function(function);
  return tree.take();
}

std::string ast_text(const ast::Program& p) {
  Tree tree(0);
  for (const ast::FunctionDef& f : p.functions) tree.function(f);
  for (const ast::BlockRow& row : ast::kStatementBlocks)
    if (const std::optional<ast::ProgramBlock>& block = p.*row.block) tree.with(std::string(row.name), block->body);
  return tree.take();
}

}  // namespace fermiac::repl
