// One walk over the MIR for every dialect of C++: which construct stands where is decided here, how it is spelled in
// the classes derived from this one. Control flow is the same in all of them.
#pragma once

#include <vector>

#include "codegen/code.h"
#include "mir/ir/ir.h"

namespace fermiac::codegen {

class Emitter {
 public:
  virtual ~Emitter() = default;

  /// Appends the text of an expression: linear in its size however it is nested.
  void expr(Code& out, const mir::Expr& e);
  Code text(const mir::Expr& e);
  /// `a, b, c`, breakable.
  void list(Code& out, const std::vector<mir::ExprPtr>& items);

  void stmt(Lines& out, const mir::Stmt& s);
  virtual void body(Lines& out, const std::vector<mir::StmtPtr>& statements);

 protected:
  using Args = std::vector<mir::ExprPtr>;

  // ---- expressions; the Expr carries type, level and place
  virtual void variable(Code& out, const mir::Expr& e, const mir::Var& v) = 0;
  virtual void literal(Code& out, const mir::Lit& l) = 0;
  virtual void library_call(Code& out, const mir::Expr& e, const mir::StanLib& f, const Args& args) = 0;
  virtual void user_call(Code& out, const mir::UserDefined& f, const Args& args) = 0;
  virtual void internal_call(Code& out, const mir::Expr& e, const mir::CompilerInternal& f, const Args& args) = 0;
  virtual void ternary(Code& out, const mir::Expr& e, const mir::TernaryIf& t) = 0;
  virtual void logical(Code& out, const mir::Expr& left, std::string_view op, const mir::Expr& right) = 0;
  virtual void indexed(Code& out, const mir::Indexed& x) = 0;
  virtual void promotion(Code& out, const mir::Promotion& p) = 0;
  virtual void projection(Code& out, const mir::TupleProjection& p) = 0;

  // ---- statements
  /// What goes before a statement that may throw.
  virtual void place(Lines& out, const mir::Stmt& s) = 0;
  virtual void assignment(Lines& out, const mir::Assignment& a) = 0;
  virtual void target(Lines& out, const mir::Expr& value) = 0;
  virtual void jacobian(Lines& out, const mir::Expr& value) = 0;
  virtual void procedure(Lines& out, const mir::NRFunApp& f) = 0;
  virtual void returning(Lines& out, const mir::Return& r) = 0;
  virtual void profile(Lines& out, const mir::Profile& p) = 0;
  virtual void declaration(Lines& out, const mir::Decl& d) = 0;
  virtual void loop(Lines& out, const mir::Stmt& s, const mir::While& w);
  virtual void loop(Lines& out, const mir::Stmt& s, const mir::For& f);
  virtual std::string loop_variable(const std::string& name) = 0;
  /// What a branch is decided by.
  virtual Code condition(const mir::Expr& test) { return text(test); }

  /// What stands between the braces of a branch or a loop.
  void branch(Lines& out, const mir::Stmt& s);

 private:
  void call(Code& out, const mir::Expr& e, const mir::FunApp& f);
  void conditional(Lines& out, const mir::IfElse& i);
};

}  // namespace fermiac::codegen
