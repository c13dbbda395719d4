// MIR in the C++ of Stan Math and of the model class that Stan's services take: expressions and statements.
//
// All names that are made here end in `__`, which no name of the language does. A value's C++ type follows from its
// type and level; in functions `autodiff` means the function's own scalar, which may be double, so containers are
// converted wherever one type is needed for several of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/emitter.h"
#include "codegen/stan_math/unit.h"
#include "mir/ir/ir.h"

namespace fermiac::codegen::stan_math {

/// The body that text goes to: it decides what `propto__`, `jacobian__` and the scalar are there.
enum class Part { Function, Constructor, LogProb, WriteArray, UnconstrainArray, TransformInits };

class StanMath : public Emitter {
 public:
  StanMath(Unit& unit, Part part, const mir::Function* function = nullptr)
      : unit_(unit), part_(part), function_(function) {}

  /// Variables that are members of the class: a declaration gives them their value.
  void set_members(const std::set<std::string>* members) { members_ = members; }
  /// Containers that go to a device: all arguments of certain densities (OpenCL).
  void set_device(std::set<std::string>* on_device, const std::set<std::string>* data) {
    on_device_ = on_device, device_data_ = data;
  }

  /// What a declared variable holds before it is assigned to.
  Code fill(const mir::SizedType& type, const AdLevel& level);
  /// `e` with exactly this type and level.
  void converted(Code& out, const mir::Expr& e, const Type& type, const AdLevel& level);
  /// `context__.validate_dims(…)` of a variable, leaf by leaf.
  void validate_dims(Lines& out, const std::string& name, const mir::SizedType& type);
  void locate(Lines& out, Span span);

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
  std::string loop_variable(const std::string& name) override;
  Code condition(const mir::Expr& test) override;

 private:
  // expressions
  bool in_function() const { return part_ == Part::Function; }
  void enclosed(Code& out, std::string_view before, const mir::Expr& e, std::string_view after);
  bool operation(Code& out, const mir::Expr& e, Builtin fn, const Args& args);
  void operand(Code& out, const mir::Expr& e, bool with_complex, bool with_container);
  void infix(Code& out, const Args& args, std::string_view op);
  void library(Code& out, Builtin function, const Args& args);
  void row_literal(Code& out, const mir::Expr& e, const Args& rows, bool column);
  void array_literal(Code& out, const mir::Expr& e, const Args& items);
  void read_data(Code& out, const mir::Expr& e, const Args& args);
  void bound(Code& out, const mir::Expr& e);
  void read_parameter(Code& out, const mir::Expr& e, const mir::CompilerInternal& f);
  std::string read_type(const mir::Expr& e, const mir::CompilerInternal& f) const;
  // calls
  bool higher_order(Code& out, const mir::StanLib& f, const Args& args);
  void variadic(Code& out, Builtin fn, const Args& args, std::size_t leading, std::size_t control);
  void with_stream(Code& out, const std::string& callee, const std::string& object, const Args& args,
                   std::size_t before);
  void reduce_sum(Code& out, Builtin fn, const Args& args);
  void map_rect(Code& out, const Args& args);
  void laplace(Code& out, const mir::StanLib& f, const Args& args);
  std::string functor(const mir::Expr& callback, Functor::Form form, std::size_t leading, std::size_t arguments);
  void evaluated(Code& out, const mir::Expr& e);
  std::string flag(Suffix suffix, bool propto) const;
  void arguments(Code& out, const mir::StanLib& f, const Args& args);
  void sum_of_product(Code& out, const Args& args);
  void device_argument(Code& out, const mir::Expr& e);
  // destinations
  void index(Code& out, const mir::Index& i);
  void destination(Code& out, const mir::LValue& left);
  void empty_temporary(Lines& out, const mir::LValue& left);
  void assign_part(Lines& out, const mir::Assignment& a);
  void assign_whole(Lines& out, const mir::Assignment& a);
  mir::ExprPtr right_side(const mir::Assignment& a) const;
  std::string_view storage_change(const mir::Assignment& a) const;
  bool fills_array(const mir::Assignment& a) const;
  bool whole_part(const mir::Expr& e) const;
  AdLevel level_of(const mir::LValue& left) const;
  void assigned_value(Code& out, const mir::Assignment& a);
  // internal statements
  void check(Lines& out, const mir::CompilerInternal& f, const Args& args);
  void write(Lines& out, const mir::CompilerInternal& f);
  void print(Lines& out, const Args& args);
  void stop(Lines& out, const Args& args, std::string_view exception);
  void printed(Lines& out, std::string_view stream, const Args& args);
  void declare_member(Lines& out, const mir::Decl& d);
  void internal_statement(Lines& out, const mir::CompilerInternal& f, const Args& args);
  void validate_leaves(Lines& out, const std::string& path, const mir::SizedType& type, std::vector<mir::ExprPtr> dims);

  Unit& unit_;
  Part part_;
  const mir::Function* function_;
  const std::set<std::string>* members_ = nullptr;
  std::set<std::string> whole_;                  // variables with one adjoint for the whole container
  std::map<std::string, AdLevel> unfilled_;       // arrays that have no elements yet
  std::map<std::string, AdLevel> tuple_levels_;  // of declared variables with tuples
  std::set<std::string>* on_device_ = nullptr;   // filled: data that is used there
  const std::set<std::string>* device_data_ = nullptr;
};

/// Whether the call makes a container with one adjoint, and says so by the template's argument.
bool makes_whole(const mir::Expr& e);

/// `lb` and the like: what names of functions that read, write and check have for a transform; empty for none.
std::string_view transform_name(mir::TransformKind kind);

/// Whether a call of a density with these arguments has a version there.
bool runs_on_device(Builtin function, const std::vector<mir::ExprPtr>& args);
/// The member that holds the copy of a data variable.
std::string device_name(std::string_view variable);

/// The MIR's pretty form, on one line.
std::string printed_text(const mir::Expr& e);
/// `t.2` of `t[i].2[j]`: the variable and the slots.
std::string base_text(const mir::LValue& left);
/// The same for a value that is a path from a variable; empty if it is none.
std::string base_text(const mir::Expr& path);

}  // namespace fermiac::codegen::stan_math
