// Expressions, and the comments inside lists.
#include <algorithm>

#include "frontend/format/printer.h"
#include "support/base/match.h"

namespace fermiac::format {
namespace {

constexpr std::size_t kLongName = 16;  // longer names of functions do not align their arguments

constexpr std::string_view kBinary[] = {"+",  "-",  "*",  "/",  "%/%", "%", "\\", ".*", "./", "^",
                                        ".^", "||", "&&", "==", "!=",  "<", "<=", ">",  ">="};
constexpr std::string_view kPrefix[] = {"+", "-", "!"};

}  // namespace

// ---------------------------------------------------------------- comments

/// Further lines of a block comment keep their shape relative to its first one.
void Printer::comment(const Trivium& item) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = item.text;;) {
    const std::size_t end = rest.find('\n');
    std::string_view text = rest.substr(0, end);
    if (text.ends_with('\r')) text.remove_suffix(1);
    lines.push_back(text);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  std::size_t strip = sources_.line_column(item.span.begin).column;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (const std::size_t indent = lines[i].find_first_not_of(" \t"); indent != std::string_view::npos)
      strip = std::min(strip, indent);
  if (lines.size() > 1) out_.open(Box::V);
  std::string first(lines[0]);
  if (first.starts_with('#')) first.replace(0, 1, "//");  // the old mark
  if (item.postponed) first.insert(2, " ^^^:");
  out_.text(first);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    out_.newline();
    out_.text(lines[i].substr(std::min({strip, lines[i].size(), lines[i].find_first_not_of(" \t")})));
  }
  if (lines.size() > 1) out_.close();
}

bool Printer::comments(const std::vector<Trivium>& items) {
  for (const Trivium& item : items) {
    comment(item);
    if (item.ends_line()) out_.newline();
  }
  return !items.empty() && items.back().ends_line();
}

void Printer::slot(Pos end) {
  const std::vector<Trivium> items = trivia_.take_comments(end);
  if (!items.empty() && !comments(items)) out_.brk();
}

void Printer::comma(Pos previous_end, Pos next_begin) {
  if (const auto before = trivia_.take_comments(token_after(previous_end)); !before.empty()) {
    out_.brk();
    comments(before);
  }
  out_.text(",");
  const std::vector<Trivium> after = trivia_.take_comments(next_begin);
  if (after.empty()) return out_.brk();
  out_.text(" ");
  comments(after);
}

void Printer::closing(Pos end) {
  const std::vector<Trivium> items = trivia_.take_comments(end);
  if (items.empty()) return;
  out_.text(" ");
  comments(items);
}

/// `print(i)` for each element, with commas and all the comments between `elements` and before `close`.
template <class Print>
void Printer::list(const std::vector<Element>& elements, Pos close, Print print) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i == 0)
      slot(elements[i].begin);
    else
      comma(elements[i - 1].end, elements[i].begin);
    print(i);
  }
  closing(close);
}

void Printer::expressions(const std::vector<ast::ExprPtr>& items, Pos close) {
  std::vector<Element> elements;
  for (const ast::ExprPtr& item : items) elements.push_back({item->span.begin, item->span.end});
  list(elements, close, [&](std::size_t i) { expr(*items[i]); });
}

// ---------------------------------------------------------------- operators

void Printer::binary(const ast::Binary& node) {
  out_.open(Box::Pack);
  expr(*node.left);
  out_.brk();
  slot(node.op_span.begin);
  out_.text(kBinary[static_cast<std::size_t>(node.op)]);
  out_.text(" ");
  slot(node.right->span.begin);
  expr(*node.right);
  out_.close();
}

void Printer::ternary(const ast::Ternary& node) {
  out_.open(Box::Pack);
  expr(*node.test);
  out_.brk();
  slot(token_after(node.test->span.end));
  out_.text("? ");
  slot(node.yes->span.begin);
  expr(*node.yes);
  out_.brk();
  slot(node.no->span.begin);
  out_.text(": ");
  expr(*node.no);
  out_.close();
}

void Printer::unary(const ast::Unary& node) {
  if (node.op == ast::UnaryOp::Transpose) {
    expr(*node.operand);
    return out_.text("'");
  }
  slot(node.operand->span.begin);
  out_.text(kPrefix[static_cast<std::size_t>(node.op)]);
  expr(*node.operand);
}

// ---------------------------------------------------------------- calls and brackets

void Printer::call(std::string_view name, const std::vector<ast::ExprPtr>& args, bool conditional, Pos begin,
                   Pos close) {
  trivia_.postpone(begin);
  if (name.size() <= kLongName) {
    out_.text(name);
    out_.open(Box::Pack, 1);
    out_.text("(");
  } else {
    out_.open(Box::Pack, 2);
    out_.text(name);
    out_.text("(");
  }
  if (!args.empty()) out_.cut();
  call_arguments(args, conditional, close);
  out_.text(")");
  out_.close();
}

void Printer::call_arguments(const std::vector<ast::ExprPtr>& args, bool conditional, Pos close) {
  if (!conditional || args.size() < 2) return expressions(args, close);
  slot(args[0]->span.begin);
  expr(*args[0]);
  if (const auto before = trivia_.take_comments(token_after(args[0]->span.end)); !before.empty()) {
    out_.brk();
    comments(before);
  }
  out_.text(" |");
  if (!comments(trivia_.take_comments(args[1]->span.begin))) out_.brk();
  std::vector<Element> elements;
  for (std::size_t i = 1; i < args.size(); ++i) elements.push_back({args[i]->span.begin, args[i]->span.end});
  list(elements, close, [&](std::size_t i) { expr(*args[i + 1]); });
}

void Printer::bracketed(std::string_view open, const std::vector<ast::ExprPtr>& items, std::string_view close, Box box,
                        Span span) {
  trivia_.postpone(span.begin);
  out_.text(open);
  out_.open(box);
  expressions(items, {span.end.file, span.end.offset - 1});
  out_.text(close);
  out_.close();
}

void Printer::index(const ast::Index& index) {
  if (index.low) expr(*index.low);
  if (index.kind == ast::Index::Kind::Single) return;
  out_.text(" : ");
  if (index.high) expr(*index.high);
}

void Printer::expr(const ast::Expr& expr) {
  const Pos last{expr.span.end.file, expr.span.end.offset - 1};
  match(
      expr.node, [&](const ast::IntLiteral& node) { out_.text(node.text); },
      [&](const ast::RealLiteral& node) { out_.text(node.text); },
      [&](const ast::ImagLiteral& node) { out_.text(node.text + "i"); },
      [&](const ast::StringLiteral& node) { out_.text('"' + node.text + '"'); },
      [&](const ast::Variable& node) { out_.text(node.name.text); },
      [&](const ast::Call& node) { call(node.name.text, node.args, node.conditional, expr.span.begin, last); },
      [&](const ast::TargetValue&) { out_.text("target()"); },
      [&](const ast::ArrayLiteral& node) { bracketed("{", node.items, "}", Box::Pack, expr.span); },
      [&](const ast::RowLiteral& node) { bracketed("[", node.items, "]", Box::Pack, expr.span); },
      [&](const ast::TupleLiteral& node) {
        bracketed("(", node.items, node.items.size() == 1 ? ",)" : ")", Box::HV, expr.span);
      },
      [&](const ast::Paren& node) {
        out_.text("(");
        this->expr(*node.inner);
        out_.text(")");
      },
      [&](const ast::Binary& node) { binary(node); }, [&](const ast::Unary& node) { unary(node); },
      [&](const ast::Ternary& node) { ternary(node); },
      [&](const ast::Projection& node) {
        this->expr(*node.tuple);
        out_.text("." + node.slot);
      },
      [&](const ast::Indexed& node) {
        this->expr(*node.base);
        for (std::size_t i = 0; i < node.indexes.size(); ++i) {
          out_.text(i == 0 ? "[" : ", ");
          index(node.indexes[i]);
        }
        out_.text("]");
      });
}

// ---------------------------------------------------------------- declared types

void Printer::constraint(const ast::DeclaredType& type) {
  using K = ast::TransformKind;
  if (!type.first && !type.second) return;
  const bool affine =
      type.transform == K::Offset || type.transform == K::Multiplier || type.transform == K::OffsetMultiplier;
  out_.text("<");
  out_.open(Box::Pack);
  if (type.first) {
    out_.text(affine ? "offset=" : "lower=");
    expr(*type.first);
  }
  if (type.first && type.second) {
    out_.text(",");
    out_.brk();
  }
  if (type.second) {
    out_.text(affine ? "multiplier=" : "upper=");
    expr(*type.second);
  }
  out_.close();
  out_.text(">");
}

namespace {

std::string_view base_word(const ast::DeclaredType& type) {
  using K = ast::TransformKind;
  switch (type.transform) {
    case K::Ordered: return "ordered";
    case K::PositiveOrdered: return "positive_ordered";
    case K::Simplex: return "simplex";
    case K::UnitVector: return "unit_vector";
    case K::SumToZeroVector: return "sum_to_zero_vector";
    case K::SumToZeroMatrix: return "sum_to_zero_matrix";
    case K::CholeskyCorr: return "cholesky_factor_corr";
    case K::CholeskyCov: return "cholesky_factor_cov";
    case K::Correlation: return "corr_matrix";
    case K::Covariance: return "cov_matrix";
    case K::StochasticColumn: return "column_stochastic_matrix";
    case K::StochasticRow: return "row_stochastic_matrix";
    default: break;
  }
  switch (type.base) {
    case BaseType::Int: return "int";
    case BaseType::Real: return "real";
    case BaseType::Complex: return "complex";
    case BaseType::Vector: return "vector";
    case BaseType::RowVector: return "row_vector";
    case BaseType::Matrix: return "matrix";
    case BaseType::ComplexVector: return "complex_vector";
    case BaseType::ComplexRowVector: return "complex_row_vector";
    case BaseType::ComplexMatrix: return "complex_matrix";
    default: return "tuple";
  }
}

}  // namespace

void Printer::type(const ast::DeclaredType& type) {
  if (type.has_array && type.array_sizes.empty())
    out_.text("array[" + std::string(static_cast<std::size_t>(type.array_dims - 1), ',') + "] ");
  if (!type.array_sizes.empty()) {
    trivia_.postpone(type.span.begin);
    out_.text("array[");
    out_.open(Box::Pack);
    expressions(type.array_sizes, type.array_sizes.back()->span.begin);  // no slot before the bracket
    out_.text("]");
    out_.close();
    out_.brk();
  }
  out_.text(base_word(type));
  if (type.base == BaseType::Tuple) {
    out_.text("(");
    out_.open(Box::Pack);
    for (std::size_t i = 0; i < type.slots.size(); ++i) {
      if (i > 0) {
        out_.text(",");
        out_.brk();
      }
      this->type(type.slots[i]);
    }
    out_.close();
    out_.text(type.slots.size() == 1 ? ",)" : ")");
    return;
  }
  constraint(type);
  for (std::size_t i = 0; i < type.sizes.size(); ++i) {
    out_.text(i == 0 ? "[" : ", ");
    expr(*type.sizes[i]);
  }
  if (!type.sizes.empty()) out_.text("]");
}

// ---------------------------------------------------------------- declarators and arguments: lists of another kind

void Printer::declaration(const ast::Declaration& node, const ast::Stmt& stmt) {
  annotations(node.annotations);
  out_.open(Box::H);
  type(node.type);
  out_.text(" ");
  std::vector<Element> elements;
  for (const ast::Declarator& declarator : node.names)
    elements.push_back({declarator.name.span.begin, (declarator.init ? declarator.init->span : declarator.name.span).end});
  list(elements, stmt.span.end, [&](std::size_t i) {
    out_.text(node.names[i].name.text);
    if (!node.names[i].init) return;
    out_.text(" = ");
    expr(*node.names[i].init);
  });
  out_.text(";");
  out_.close();
}

void Printer::arguments(const ast::FunctionDef& function) {
  std::vector<Element> elements;
  for (const ast::FunctionArgument& arg : function.args)
    elements.push_back({arg.type.span.begin, arg.name.span.end});
  const Pos open = token_after(function.name.span.end);
  const Pos close = token_after(function.args.empty() ? Pos{open.file, open.offset + 1} : function.args.back().name.span.end);
  list(elements, close, [&](std::size_t i) {
    if (function.args[i].data_only) out_.text("data ");
    type(function.args[i].type);
    out_.text(" " + function.args[i].name.text);
  });
}

}  // namespace fermiac::format
