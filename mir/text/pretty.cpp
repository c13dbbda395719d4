// The pretty form. Where boxes open decides where long lines break; the structure here reproduces the documented
// layout.
#include <string>

#include "frontend/ast/blocks.h"
#include "mir/ir/build.h"
#include "mir/text/boxes.h"
#include "mir/text/names.h"
#include "mir/text/text.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using Kind = Boxes::Kind;
constexpr int kMargin = 78, kMaxIndent = 68;

std::string level_text(const AdLevel& level) {
  if (level.slots.empty()) return level.autodiff ? "var" : "data";
  std::string out;
  for (const AdLevel& slot : level.slots) out += (out.empty() ? "" : ", ") + level_text(slot);
  return "tuple_ad(" + out + ")";
}

// What stands before the type of a declaration: nothing for autodiff, `data `, or the levels of a tuple's slots.
std::string level_prefix(const AdLevel& level) {
  if (!level.slots.empty()) return level_text(level);
  return level.autodiff ? "" : "data ";
}

Sexp expr_atom(const Expr& expr) {
  return Sexp::of(to_pretty(expr));
}

class Pretty {
 public:
  Pretty() : out_(kMargin, kMaxIndent) {}
  std::string render() { return out_.render(); }

  void expr(const Expr& e) {
    match(
        e.node, [&](const Var& v) { out_.text(v.name); }, [&](const Lit& lit) { literal(lit); },
        [&](const FunApp& f) { call(f.fn, f.args); },
        [&](const TernaryIf& t) {
          out_.text("(");
          expr(*t.test);
          out_.text(" ? ");
          expr(*t.yes);
          out_.text(" : ");
          expr(*t.no);
          out_.text(")");
        },
        [&](const EAnd& a) { joined(*a.left, " && ", *a.right); },
        [&](const EOr& o) { joined(*o.left, " || ", *o.right); },
        [&](const Indexed& x) {
          expr(*x.base);
          indexes(x.indexes);
        },
        [&](const Promotion& p) { promotion(p); },
        [&](const TupleProjection& p) {
          expr(*p.tuple);
          out_.text("." + std::to_string(p.slot));
        });
  }

  void stmt(const Stmt& s) {
    match(
        s.node, [&](const Assignment& a) { assignment(a); },
        [&](const TargetPE& t) { accumulate("target += ", *t.value); },
        [&](const JacobianPE& j) { accumulate("jacobian += ", *j.value); },
        [&](const NRFunApp& f) {
          call(f.fn, f.args);
          out_.text(";");
        },
        [&](const Break&) { out_.text("break;"); }, [&](const Continue&) { out_.text("continue;"); },
        [&](const Return& r) { returning(r); }, [&](const Skip&) { out_.text(";"); },
        [&](const IfElse& i) { conditional(i); },
        [&](const While& w) {
          out_.text("while(");
          expr(*w.test);
          out_.text(") ");
          stmt(*w.body);
        },
        [&](const For& f) {
          out_.text("for(" + f.variable + " in ");
          joined(*f.lower, ":", *f.upper);
          out_.text(") ");
          stmt(*f.body);
        },
        [&](const Profile& p) {
          out_.text("profile(\"" + p.name + "\")");
          braces(p.body);
        },
        [&](const Block& b) { braces(b.body); }, [&](const SList& l) { list(l.body); },
        [&](const Decl& d) { decl(d); });
  }

  void sized(const SizedType& type, std::size_t dim = 0) {
    if (dim < type.array_dims.size()) {
      out_.text("array[");
      sized(type, dim + 1);
      out_.text(", ");
      expr(*type.array_dims[dim]);
      out_.text("]");
      return;
    }
    if (type.base == BaseType::Tuple) return tuple(type);
    out_.text(Type(type.base).str());
    if (type.sizes.empty()) return;
    out_.text("[");
    commas(type.sizes.size(), ", ", [&](std::size_t i) { expr(*type.sizes[i]); });
    out_.text("]");
  }

  void program(const Program& p) {
    out_.open(Kind::Pack);
    section("functions", p.functions, [&](const Function& f) { function(f); });
    section("input_vars", p.input_vars, [&](const InputVar& input) {
      sized(input.type);
      out_.text(" " + input.name + ";");
    });
    const auto print = [&](const StmtPtr& s) { stmt(*s); };
    section("prepare_data", p.prepare_data, print);
    section("log_prob", p.log_prob, print);
    section("rev_log_prob", p.reverse_mode_log_prob, print);
    section("generate_quantities", p.generate_quantities, print);
    section("transform_inits", p.transform_inits, print);
    outputs(p.output_vars);
    out_.close();
  }

 private:
  template <class Fn>
  void commas(std::size_t count, std::string_view separator, Fn fn) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_.text(separator);
      fn(i);
    }
  }

  // ---- expressions

  void joined(const Expr& left, std::string_view between, const Expr& right) {
    expr(left);
    out_.text(between);
    expr(right);
  }

  void literal(const Lit& lit) { out_.text(lit.kind == Lit::Kind::Str ? "\"" + lit.text + "\"" : lit.text); }

  void arguments(const std::vector<ExprPtr>& args) {
    out_.text("(").open(Kind::Pack);
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i > 0) out_.text(",").space();
      expr(*args[i]);
    }
    out_.close().text(")");
  }

  void promotion(const Promotion& p) {
    out_.text("promote(").open(Kind::Pack);
    expr(*p.operand);
    out_.text(",").space().text(p.scalar.str() + ",").space().text(level_text(p.ad)).close().text(")");
  }

  void call(const FunctionKind& fn, const std::vector<ExprPtr>& args) {
    match(
        fn,
        [&](const StanLib& f) {
          const OperatorRow* op = args.size() == 2 ? find_operator(f.fn) : nullptr;
          if (!op) return named_call(text::shown_name(std::string(name_of(f.fn)), f.propto), args);
          out_.text("(");
          joined(*args[0], " " + std::string(op->spelling) + " ", *args[1]);
          out_.text(")");
        },
        [&](const UserDefined& f) { named_call(text::shown_name(f.name, f.propto), args); },
        [&](const CompilerInternal& f) { named_call(compact(text::internal_sexp(f, expr_atom)) + "__", args); });
  }

  void named_call(const std::string& name, const std::vector<ExprPtr>& args) {
    out_.text(name);
    arguments(args);
  }

  void index(const Index& i) {
    switch (i.kind) {
      case Index::Kind::All:
        out_.text(":");
        break;
      case Index::Kind::Single:
      case Index::Kind::Multi:
        expr(*i.low);
        break;
      case Index::Kind::Upfrom:
        expr(*i.low);
        out_.text(":");
        break;
      case Index::Kind::Between:
        joined(*i.low, ":", *i.high);
        break;
    }
  }

  void indexes(const std::vector<Index>& list) {
    if (list.empty()) return;
    out_.text("[");
    commas(list.size(), ", ", [&](std::size_t i) { index(list[i]); });
    out_.text("]");
  }

  // ---- statements

  void lvalue(const LValue& left) {
    if (left.tuple) {
      lvalue(*left.tuple);
      out_.text("." + std::to_string(left.slot));
    } else {
      out_.text(left.variable);
    }
    indexes(left.indexes);
  }

  void assignment(const Assignment& a) {
    out_.open(Kind::Horizontal);
    lvalue(a.left);
    out_.text(" = ");
    expr(*a.right);
    out_.text(";").close();
  }

  void accumulate(std::string_view left, const Expr& value) {
    out_.open(Kind::Horizontal).text(left);
    expr(value);
    out_.text(";").close();
  }

  void returning(const Return& r) {
    if (!r.value) {
      out_.text("return;");
      return;
    }
    out_.text("return ");
    expr(*r.value);
    out_.text(";");
  }

  void conditional(const IfElse& i) {
    out_.text("if(");
    expr(*i.test);
    out_.text(") ");
    stmt(*i.yes);
    if (!i.no) return;
    out_.text(" else ");
    stmt(*i.no);
  }

  void list(const std::vector<StmtPtr>& body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (i > 0) out_.space();
      stmt(*body[i]);
    }
  }

  void braces(const std::vector<StmtPtr>& body) {
    out_.text("{").hint(1, 2).open(Kind::Vertical);
    list(body);
    out_.close().space().text("}");
  }

  void tuple(const SizedType& type) {
    out_.text("tuple(");
    commas(type.slots.size(), ", ", [&](std::size_t i) { sized(type.slots[i]); });
    out_.text(")");
  }

  void decl(const Decl& d) {
    out_.open(Kind::Pack, 2).text(level_prefix(d.ad));
    if (const auto* type = std::get_if<SizedType>(&d.type))
      sized(*type);
    else
      out_.text(std::get<Type>(d.type).str());
    out_.space().text(d.id);
    if (d.init == Decl::Init::Assign) {
      out_.text(" = ");
      expr(*d.value);
    }
    out_.text(";").close();
  }

  // ---- sections

  void function(const Function& f) {
    if (!f.body) out_.text("extern ");
    out_.text((f.result ? f.result->str() : "void") + " " + f.name + "(").open(Kind::Pack);
    for (std::size_t i = 0; i < f.args.size(); ++i) {
      if (i > 0) out_.text(",").space();
      out_.text(level_prefix(f.args[i].ad) + f.args[i].type.str() + " " + f.args[i].name);
    }
    out_.close().text(")");
    if (!f.body) {
      out_.text(";");
      return;
    }
    out_.text(" ");
    braces({f.body});
  }

  template <class List, class Fn>
  void section(std::string_view name, const List& items, Fn print) {
    if (items.empty()) return;
    if (name != "functions") out_.cut();
    out_.open(Kind::Vertical, 2).text(name).text(" {");
    for (const auto& item : items) {
      out_.cut();
      print(item);
    }
    out_.close().space().text("}").newline();
  }

  void outputs(const std::vector<OutputVar>& list) {
    if (list.empty()) return;
    out_.cut().open(Kind::Vertical).text("output_vars {");
    for (const OutputVar& output : list) {
      out_.hint(0, 2).open(Kind::Pack, 2).text(std::string(ast::block_identifier(output.block)) + " ");
      sized(output.constrained);
      out_.text(" " + output.name + ";").space().text("//");
      sized(output.unconstrained);
      out_.close();
    }
    out_.cut().text("}").close();
  }

  Boxes out_;
};

}  // namespace

std::string to_pretty(const Program& program) {
  Pretty pretty;
  pretty.program(program);
  return pretty.render();
}
std::string to_pretty(const Stmt& stmt) {
  Pretty pretty;
  pretty.stmt(stmt);
  return pretty.render();
}
std::string to_pretty(const Expr& expr) {
  Pretty pretty;
  pretty.expr(expr);
  return pretty.render();
}
std::string to_pretty(const SizedType& type) {
  Pretty pretty;
  pretty.sized(type);
  return pretty.render();
}

}  // namespace fermiac::mir
