#include "frontend/format/canonical.h"

#include <algorithm>
#include <utility>

#include "frontend/ast/blocks.h"
#include "support/base/match.h"

namespace fermiac::format {
namespace {

using ast::Expr;
using ast::ExprPtr;
using ast::Stmt;
using ast::StmtPtr;

template <class Node>
bool holds(const Expr& expr) {
  return std::holds_alternative<Node>(expr.node);
}

bool is_operation(const Expr& expr) {
  return holds<ast::Binary>(expr) || holds<ast::Unary>(expr) || holds<ast::Ternary>(expr);
}

bool is_comparison(const Expr& expr) {
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  return binary && binary->op >= ast::BinaryOp::Equals;
}

void wrap(ExprPtr& expr) {
  auto outer = std::make_unique<Expr>();
  outer->span = expr->span;
  outer->type = expr->type;
  outer->ad = expr->ad;
  outer->node = ast::Paren{std::move(expr)};
  expr = std::move(outer);
}

// ---------------------------------------------------------------- parentheses

/// `bare` removes every pair that wraps the whole, `keep_one` leaves one round operations.
class Parentheses {
 public:
  void bare(ExprPtr& expr) {
    if (!expr) return;
    unwrap(expr);
    inside(*expr);
  }
  void left_side(ExprPtr& expr) {
    on_left_ = true;
    bare(expr);
    on_left_ = false;
  }
  void keep_one(ExprPtr& expr) {
    if (!expr) return;
    const bool wrapped = holds<ast::Paren>(*expr);
    bare(expr);
    if (wrapped && is_operation(*expr)) wrap(expr);
  }
  void type(ast::DeclaredType& declared) {
    for (ExprPtr& size : declared.array_sizes) bare(size);
    for (ExprPtr& size : declared.sizes) bare(size);
    keep_one(declared.first);
    keep_one(declared.second);
    for (ast::DeclaredType& slot : declared.slots) type(slot);
  }

 private:
  static void unwrap(ExprPtr& expr) {
    while (holds<ast::Paren>(*expr)) {
      ExprPtr inner = std::move(std::get<ast::Paren>(expr->node).inner);
      expr = std::move(inner);
    }
  }
  void all(std::vector<ExprPtr>& items) {
    for (ExprPtr& item : items) bare(item);
  }
  void binary(ast::Binary& node, bool comparison) {
    keep_one(node.left);
    keep_one(node.right);
    if (comparison && is_comparison(*node.left)) wrap(node.left);
  }
  void indexed(ast::Indexed& node) {
    const bool left = std::exchange(on_left_, false);
    on_left_ = left;
    keep_one(node.base);
    on_left_ = false;
    for (ast::Index& index : node.indexes)
      for (ExprPtr* end : {&index.low, &index.high})
        left || index.kind == ast::Index::Kind::Single ? bare(*end) : keep_one(*end);
    on_left_ = left;
  }
  void inside(Expr& expr) {
    match(
        expr.node, [](ast::IntLiteral&) {}, [](ast::RealLiteral&) {}, [](ast::ImagLiteral&) {},
        [](ast::StringLiteral&) {}, [](ast::Variable&) {}, [](ast::TargetValue&) {},
        [&](ast::Call& node) { all(node.args); }, [&](ast::ArrayLiteral& node) { all(node.items); },
        [&](ast::RowLiteral& node) { all(node.items); }, [&](ast::TupleLiteral& node) { all(node.items); },
        [&](ast::Paren& node) { bare(node.inner); },
        [&](ast::Binary& node) { binary(node, is_comparison(expr)); },
        [&](ast::Unary& node) { keep_one(node.operand); },
        [&](ast::Ternary& node) {
          keep_one(node.test);
          keep_one(node.yes);
          keep_one(node.no);
        },
        [&](ast::Projection& node) { keep_one(node.tuple); }, [&](ast::Indexed& node) { indexed(node); });
  }

  bool on_left_ = false;
};

void strip_parentheses(Stmt& stmt);
void strip_parentheses(std::vector<StmtPtr>& body) {
  for (StmtPtr& stmt : body) strip_parentheses(*stmt);
}

void strip_parentheses(Stmt& stmt) {
  Parentheses p;
  const auto all = [&](std::vector<ExprPtr>& items) {
    for (ExprPtr& item : items) p.bare(item);
  };
  match(
      stmt.node,
      [&](ast::Declaration& node) {
        p.type(node.type);
        for (ast::Declarator& declarator : node.names) p.bare(declarator.init);
      },
      [&](ast::Assignment& node) {
        p.left_side(node.left);
        p.bare(node.right);
      },
      [&](ast::ProcedureCall& node) { all(node.args); }, [&](ast::TargetPlus& node) { p.bare(node.value); },
      [&](ast::JacobianPlus& node) { p.bare(node.value); },
      [&](ast::Tilde& node) {
        p.bare(node.variate);
        all(node.args);
        if (!node.truncation) return;
        p.bare(node.truncation->lower);
        p.bare(node.truncation->upper);
      },
      [](ast::Break&) {}, [](ast::Continue&) {}, [&](ast::Return& node) { p.bare(node.value); },
      [&](ast::Print& node) { all(node.items); },
      [&](ast::If& node) {
        p.bare(node.test);
        strip_parentheses(*node.yes);
        if (node.no) strip_parentheses(*node.no);
      },
      [&](ast::While& node) {
        p.bare(node.test);
        strip_parentheses(*node.body);
      },
      [&](ast::ForRange& node) {
        p.keep_one(node.low);
        p.keep_one(node.high);
        strip_parentheses(*node.body);
      },
      [&](ast::ForEach& node) {
        p.bare(node.container);
        strip_parentheses(*node.body);
      },
      [](ast::Profile& node) { strip_parentheses(node.body); }, [](ast::Block& node) { strip_parentheses(node.body); },
      [](ast::Skip&) {});
}

// ---------------------------------------------------------------- braces

void add_braces(Stmt& stmt);
void add_braces(std::vector<StmtPtr>& body) {
  for (StmtPtr& stmt : body) add_braces(*stmt);
}

void embrace(StmtPtr& body) {
  if (std::holds_alternative<ast::Block>(body->node)) return;
  auto block = std::make_unique<Stmt>();
  block->span = body->span;
  ast::Block node;
  node.body.push_back(std::move(body));
  block->node = std::move(node);
  body = std::move(block);
}

/// `else { if … }` is `else if …`.
void flatten_else(StmtPtr& no) {
  auto* block = std::get_if<ast::Block>(&no->node);
  if (!block || block->body.size() != 1 || !std::holds_alternative<ast::If>(block->body[0]->node)) return;
  StmtPtr inner = std::move(block->body[0]);
  no = std::move(inner);
}

void add_braces(ast::If& node) {
  embrace(node.yes);
  add_braces(*node.yes);
  if (!node.no) return;
  flatten_else(node.no);
  if (!std::holds_alternative<ast::If>(node.no->node)) embrace(node.no);
  add_braces(*node.no);
}

void add_braces(Stmt& stmt) {
  if (auto* branch = std::get_if<ast::If>(&stmt.node)) return add_braces(*branch);
  if (auto* block = std::get_if<ast::Block>(&stmt.node)) return add_braces(block->body);
  if (auto* profile = std::get_if<ast::Profile>(&stmt.node)) return add_braces(profile->body);
  if (auto* each = std::get_if<ast::ForEach>(&stmt.node)) return add_braces(*each->body);
  StmtPtr* body = nullptr;
  if (auto* loop = std::get_if<ast::While>(&stmt.node)) body = &loop->body;
  if (auto* loop = std::get_if<ast::ForRange>(&stmt.node)) body = &loop->body;
  if (!body) return;
  embrace(*body);
  add_braces(**body);
}

// ---------------------------------------------------------------- forward declarations

bool same_signature(const ast::FunctionDef& a, const ast::FunctionDef& b) {
  return a.name.text == b.name.text &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const ast::FunctionArgument& x, const ast::FunctionArgument& y) {
                      return x.data_only == y.data_only && x.type.type() == y.type.type();
                    });
}

void drop_forward_declarations(std::vector<ast::FunctionDef>& functions) {
  std::vector<bool> redundant;
  for (const ast::FunctionDef& declared : functions)
    redundant.push_back(!declared.body && std::any_of(functions.begin(), functions.end(), [&](const auto& other) {
      return other.body && same_signature(declared, other);
    }));
  std::size_t i = 0;
  std::erase_if(functions, [&](const ast::FunctionDef&) { return redundant[i++]; });
}

}  // namespace

void canonicalize(ast::Program& program, const Canonical& what) {
  if (what.deprecations) drop_forward_declarations(program.functions);
  const auto each_body = [&](auto rewrite) {
    for (ast::FunctionDef& function : program.functions)
      if (function.body) rewrite(std::get<ast::Block>(function.body->node).body);
    for (const ast::BlockRow& row : ast::kStatementBlocks)
      if (std::optional<ast::ProgramBlock>& block = program.*row.block) rewrite(block->body);
  };
  if (what.parentheses) each_body([](std::vector<StmtPtr>& body) { strip_parentheses(body); });
  if (what.braces) each_body([](std::vector<StmtPtr>& body) { add_braces(body); });
}

}  // namespace fermiac::format
