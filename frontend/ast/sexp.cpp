#include "frontend/ast/sexp.h"

#include <string_view>

#include "frontend/ast/blocks.h"
#include "support/base/match.h"

namespace fermiac::ast {
namespace {

constexpr std::string_view kTransforms[] = {
    "Identity",        "Lower",   "Upper",      "LowerUpper",      "Offset",         "Multiplier",
    "OffsetMultiplier", "Ordered", "PositiveOrdered", "Simplex",   "UnitVector",     "SumToZeroVector",
    "SumToZeroMatrix", "CholeskyCorr", "CholeskyCov", "Correlation", "Covariance",   "StochasticColumn",
    "StochasticRow"};
constexpr std::string_view kIndexes[] = {"All", "Single", "From", "To", "Between"};
constexpr std::string_view kPrints[] = {"Print", "Reject", "FatalError"};

class Writer {
 public:
  explicit Writer(bool typed) : typed_(typed) {}
  std::string take() { return std::move(out_); }

  void program(const Program& p) {
    node("Program", [&] {
      for (const FunctionDef& f : p.functions) function(f);
      for (const BlockRow& row : kStatementBlocks)
        if (const std::optional<ProgramBlock>& block = p.*row.block) node(row.identifier, [&] { stmts(block->body); });
    });
  }

  void stmt(const Stmt& s) {
    match(
        s.node, [&](const Declaration& n) { declaration(n); },
        [&](const Assignment& n) {
          node("Assignment", [&] {
            expr(n.left);
            atom(n.op ? operator_row(*n.op).name() : "Assign");
            expr(n.right);
          });
        },
        [&](const ProcedureCall& n) {
          node("Call", [&] {
            atom(n.name.text);
            exprs(n.args);
          });
        },
        [&](const TargetPlus& n) { node("TargetPlus", [&] { expr(n.value); }); },
        [&](const JacobianPlus& n) { node("JacobianPlus", [&] { expr(n.value); }); },
        [&](const Tilde& n) { tilde(n); }, [&](const Break&) { atom("Break"); },
        [&](const Continue&) { atom("Continue"); }, [&](const Return& n) { node("Return", [&] { expr(n.value); }); },
        [&](const Print& n) { node(kPrints[static_cast<std::size_t>(n.kind)], [&] { exprs(n.items); }); },
        [&](const If& n) {
          node("If", [&] {
            expr(n.test);
            stmt(*n.yes);
            if (n.no) stmt(*n.no);
          });
        },
        [&](const While& n) {
          node("While", [&] {
            expr(n.test);
            stmt(*n.body);
          });
        },
        [&](const ForRange& n) {
          node("For", [&] {
            atom(n.variable.text);
            expr(n.low);
            expr(n.high);
            stmt(*n.body);
          });
        },
        [&](const ForEach& n) {
          node("ForEach", [&] {
            atom(n.variable.text);
            expr(n.container);
            stmt(*n.body);
          });
        },
        [&](const Profile& n) {
          node("Profile", [&] {
            quoted(n.name);
            stmts(n.body);
          });
        },
        [&](const Block& n) { node("Block", [&] { stmts(n.body); }); }, [&](const Skip&) { atom("Skip"); });
  }

  void expr(const Expr& e) {
    if (!typed_) return bare(e);
    node("expr", [&] {
      node("type", [&] { quoted((e.ad.any() ? "" : "data ") + e.type.str()); });
      bare(e);
    });
  }

 private:
  template <class Inside>
  void node(std::string_view head, Inside inside) {
    separate();
    out_ += '(';
    out_ += head;
    inside();
    out_ += ')';
  }
  void separate() {
    if (!out_.empty() && out_.back() != '(') out_ += ' ';
  }
  void atom(std::string_view text) {
    separate();
    out_ += text;
  }
  void quoted(std::string_view text) { atom('"' + std::string(text) + '"'); }
  void expr(const ExprPtr& e) {
    if (e) expr(*e);
  }
  void exprs(const std::vector<ExprPtr>& items) {
    for (const ExprPtr& item : items) expr(*item);
  }
  void stmts(const std::vector<StmtPtr>& items) {
    for (const StmtPtr& item : items) stmt(*item);
  }
  void optional(std::string_view head, const ExprPtr& e) {
    if (e) node(head, [&] { expr(*e); });
  }
  void list(std::string_view head, const std::vector<ExprPtr>& items) {
    node(head, [&] { exprs(items); });
  }
  void word(std::string_view head, std::string_view text) {
    node(head, [&] { atom(text); });
  }

  void bare(const Expr& e) {
    match(
        e.node, [&](const IntLiteral& n) { word("IntNumeral", n.text); },
        [&](const RealLiteral& n) { word("RealNumeral", n.text); },
        [&](const ImagLiteral& n) { word("ImagNumeral", n.text); },
        [&](const StringLiteral& n) { node("String", [&] { quoted(n.text); }); },
        [&](const Variable& n) { word("Variable", n.name.text); },
        [&](const Call& n) {
          // `f(y | )` and `f(y)` are the same
          node(n.conditional && n.args.size() > 1 ? "CondDistApp" : "FunApp", [&] {
            atom(n.name.text);
            exprs(n.args);
          });
        },
        [&](const TargetValue&) { atom("GetTarget"); }, [&](const ArrayLiteral& n) { list("ArrayExpr", n.items); },
        [&](const RowLiteral& n) { list("RowVectorExpr", n.items); },
        [&](const TupleLiteral& n) { list("TupleExpr", n.items); },
        [&](const Paren& n) { node("Paren", [&] { expr(n.inner); }); },
        [&](const Binary& n) {
          node("BinOp", [&] {
            expr(n.left);
            atom(operator_row(n.op).name());
            expr(n.right);
          });
        },
        [&](const Unary& n) {
          node(n.op == UnaryOp::Transpose ? "PostfixOp" : "PrefixOp", [&] {
            atom(operator_row(n.op).name());
            expr(n.operand);
          });
        },
        [&](const Ternary& n) {
          node("TernaryIf", [&] {
            expr(n.test);
            expr(n.yes);
            expr(n.no);
          });
        },
        [&](const Projection& n) {
          node("TupleProjection", [&] {
            expr(n.tuple);
            atom(n.slot);
          });
        },
        [&](const Indexed& n) {
          node("Indexed", [&] {
            expr(n.base);
            for (const Index& index : n.indexes)
              node(kIndexes[static_cast<std::size_t>(index.kind)], [&] {
                expr(index.low);
                expr(index.high);
              });
          });
        });
  }

  void type(const DeclaredType& t) {
    node("type", [&] {
      if (t.has_array && t.array_sizes.empty()) word("dims", std::to_string(t.array_dims));
      if (!t.array_sizes.empty()) list("array", t.array_sizes);
      if (t.base == BaseType::Tuple)
        for (const DeclaredType& slot : t.slots) type(slot);
      else
        quoted(Type(t.base).str());
      if (t.transform != TransformKind::None) atom(kTransforms[static_cast<std::size_t>(t.transform)]);
      optional("first", t.first);
      optional("second", t.second);
      if (!t.sizes.empty()) list("sizes", t.sizes);
    });
  }
  void annotations(const std::vector<Annotation>& items) {
    for (const Annotation& item : items) node("annotation", [&] { quoted(item.text); });
  }
  void declaration(const Declaration& n) {
    node("VarDecl", [&] {
      annotations(n.annotations);
      type(n.type);
      for (const Declarator& declarator : n.names)
        node("variable", [&] {
          atom(declarator.name.text);
          expr(declarator.init);
        });
    });
  }
  void tilde(const Tilde& n) {
    node("Tilde", [&] {
      expr(n.variate);
      atom(n.distribution.text);
      exprs(n.args);
      if (!n.truncation || (!n.truncation->lower && !n.truncation->upper)) return;
      node("truncation", [&] {
        optional("lower", n.truncation->lower);
        optional("upper", n.truncation->upper);
      });
    });
  }
  void function(const FunctionDef& f) {
    node("FunDef", [&] {
      annotations(f.annotations);
      f.result ? type(*f.result) : atom("Void");
      atom(f.name.text);
      for (const FunctionArgument& arg : f.args)
        node("argument", [&] {
          if (arg.data_only) atom("data");
          type(arg.type);
          atom(arg.name.text);
        });
      if (f.body) stmt(*f.body);
    });
  }

  bool typed_;
  std::string out_;
};

}  // namespace

std::string to_sexp(const Program& program, bool typed) {
  Writer writer(typed);
  writer.program(program);
  return writer.take();
}

std::string to_sexp(const Stmt& stmt, bool typed) {
  Writer writer(typed);
  writer.stmt(stmt);
  return writer.take();
}

std::string to_sexp(const Expr& expr, bool typed) {
  Writer writer(typed);
  writer.expr(expr);
  return writer.take();
}

}  // namespace fermiac::ast
