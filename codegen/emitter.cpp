#include "codegen/emitter.h"

#include "support/base/match.h"

namespace fermiac::codegen {

using namespace mir;  // NOLINT: the walk is over its nodes

Code Emitter::text(const Expr& e) {
  Code out;
  expr(out, e);
  return out;
}

void Emitter::list(Code& out, const Args& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) (out << ",").br();
    expr(out, *items[i]);
  }
}

void Emitter::expr(Code& out, const Expr& e) {
  match(
      e.node, [&](const Var& v) { variable(out, e, v); }, [&](const Lit& l) { literal(out, l); },
      [&](const FunApp& f) { call(out, e, f); }, [&](const TernaryIf& t) { ternary(out, e, t); },
      [&](const EAnd& a) { logical(out, *a.left, "&&", *a.right); },
      [&](const EOr& o) { logical(out, *o.left, "||", *o.right); }, [&](const Indexed& x) { indexed(out, x); },
      [&](const Promotion& p) { promotion(out, p); }, [&](const TupleProjection& p) { projection(out, p); });
}

void Emitter::call(Code& out, const Expr& e, const FunApp& f) {
  match(
      f.fn, [&](const StanLib& fn) { library_call(out, e, fn, f.args); },
      [&](const UserDefined& fn) { user_call(out, fn, f.args); },
      [&](const CompilerInternal& fn) { internal_call(out, e, fn, f.args); });
}

void Emitter::stmt(Lines& out, const Stmt& s) {
  place(out, s);
  match(
      s.node, [&](const Assignment& a) { assignment(out, a); }, [&](const TargetPE& t) { target(out, *t.value); },
      [&](const JacobianPE& j) { jacobian(out, *j.value); }, [&](const NRFunApp& f) { procedure(out, f); },
      [&](const Break&) { out << "break;"; }, [&](const Continue&) { out << "continue;"; },
      [&](const Return& r) { returning(out, r); }, [&](const Skip&) {}, [&](const IfElse& i) { conditional(out, i); },
      [&](const While& w) { loop(out, s, w); }, [&](const For& f) { loop(out, s, f); },
      [&](const Profile& p) { profile(out, p); },
      [&](const Block& b) {
        out.open("");
        body(out, b.body);
        out.close();
      },
      [&](const SList& l) { body(out, l.body); }, [&](const Decl& d) { declaration(out, d); });
}

void Emitter::body(Lines& out, const std::vector<StmtPtr>& statements) {
  for (const StmtPtr& s : statements) stmt(out, *s);
}

void Emitter::branch(Lines& out, const Stmt& s) {
  if (const auto* block = std::get_if<Block>(&s.node))
    body(out, block->body);
  else
    stmt(out, s);
}

void Emitter::conditional(Lines& out, const IfElse& i) {
  out.open(Code("if (") << condition(*i.test) << ")");
  branch(out, *i.yes);
  if (i.no) {
    out.close("} else {").indent(1);
    branch(out, *i.no);
  }
  out.close();
}

void Emitter::loop(Lines& out, const Stmt&, const While& w) {
  out.open(Code("while (") << text(*w.test) << ")");
  branch(out, *w.body);
  out.close();
}

void Emitter::loop(Lines& out, const Stmt&, const For& f) {
  const std::string i = loop_variable(f.variable);
  out.open(Code("for (int " + i + " = ") << text(*f.lower) << "; " + i + " <= " << text(*f.upper) << "; ++" + i + ")");
  branch(out, *f.body);
  out.close();
}

}  // namespace fermiac::codegen
