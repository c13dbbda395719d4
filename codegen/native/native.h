// MIR in the C++ of codegen/runtime/native.h: ints and reals are machine numbers, everything else is a value. Names that are
// made here end in `__`, which no name of the language does.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/emitter.h"
#include "codegen/native/unit.h"
#include "codegen/native/views.h"
#include "mir/analysis/activity.h"

namespace fermiac::codegen::native {

/// Throws Unsupported at a construct that has no machine code.
class Native final : public Emitter {
 public:
  /// `function`: whose body it is; null in a section.
  Native(Unit& unit, const mir::Function* function);

  /// What a `return` in a section does before it leaves: writes numbers back.
  void set_farewell(const Lines* farewell) { farewell_ = farewell; }
  void body(Lines& out, const std::vector<mir::StmtPtr>& statements) override;

 protected:
  void variable(Code& out, const mir::Expr& e, const mir::Var& v) override;
  void literal(Code& out, const mir::Lit& l) override;
  void library_call(Code& out, const mir::Expr& e, const mir::StanLib& f, const Args& args) override;
  void user_call(Code& out, const mir::UserDefined& f, const Args& args) override;
  void internal_call(Code& out, const mir::Expr& e, const mir::CompilerInternal& f, const Args& args) override;
  void ternary(Code& out, const mir::Expr& e, const mir::TernaryIf& t) override;
  void logical(Code& out, const mir::Expr& left, std::string_view op, const mir::Expr& right) override;
  void indexed(Code& out, const mir::Indexed& x) override;
  void promotion(Code& out, const mir::Promotion& p) override;
  void projection(Code& out, const mir::TupleProjection& p) override;

  void place(Lines& out, const mir::Stmt& s) override;
  void assignment(Lines& out, const mir::Assignment& a) override;
  void target(Lines& out, const mir::Expr& value) override;
  void jacobian(Lines& out, const mir::Expr& value) override;
  void procedure(Lines& out, const mir::NRFunApp& f) override;
  void returning(Lines& out, const mir::Return& r) override;
  void profile(Lines& out, const mir::Profile& p) override;
  void declaration(Lines& out, const mir::Decl& d) override;
  void loop(Lines& out, const mir::Stmt& s, const mir::While& w) override;
  void loop(Lines& out, const mir::Stmt& s, const mir::For& f) override;
  std::string loop_variable(const std::string& name) override;

 private:
  // expressions
  /// `head{a, b, …}`: operands are computed from the left to the right.
  void braced(Code& out, const std::string& head, const Args& args);
  bool arithmetic(Code& out, const std::string& name, const Args& args);
  void infix(Code& out, const mir::Expr& left, std::string_view op, const mir::Expr& right);
  /// Which operands of a call carry derivatives, as an expression.
  std::string active(const Args& args) const;
  /// What a library call drops (ad::Propto::word), as an expression.
  std::string dropped(bool propto, const Args& args) const;
  /// A term of target that is one library call, if it is one.
  bool density_to_target(Code& out, const mir::Expr& value);
  void index(Code& out, const mir::Index& i);
  void indexes(Code& out, const std::vector<mir::Index>& list);
  /// The name of what is in front of the loop, if the variable has that (views.h); else empty.
  std::string view(const std::string& variable) const;
  /// Opens views of what the loop uses by elements, in a block; gives the names that had none before.
  std::vector<std::string> open_views(Lines& out, const mir::Stmt& s);
  void close_views(Lines& out, const std::vector<std::string>& names);
  // statements
  void assign_part(Lines& out, const mir::Assignment& a);
  void step(Code& out, const mir::LValue& left);
  void printed(Lines& out, int what, const Args& args);
  Code filled(const mir::SizedType& type);
  Code sizes(const mir::SizedType& type);
  void declare_with(Lines& out, const mir::Decl& d, const mir::Expr& value);

  static constexpr const char* kReal = "R__";
  static constexpr const char* kSeen = "n__::Seen<R__>";  // in a comparison

  Unit& unit_;
  const mir::Function* function_;
  mir::ActivityScope scope_;
  const Lines* farewell_ = nullptr;
  std::set<std::string> views_;  // open where the walk is
  std::string real_ = kReal;     // the kind of real that operators make
};

/// `int`, `R__` (the kind of real that a function is made for), or a value.
std::string type_text(const Type& type);
/// A variable, or numbers and operators alone: it cannot fail.
bool is_total(const mir::Expr& e);
/// `n__::View<R__, 0, 1>` and the like, for a container of this type.
std::string element_type(std::string_view what, const Type& container);

}  // namespace fermiac::codegen::native
