#include "mir/analysis/verify.h"

#include <algorithm>
#include <map>
#include <vector>

#include "mir/ir/build.h"
#include "mir/text/text.h"
#include "support/base/errors.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

std::string quoted(const Type& type) {
  return "`" + type.str() + "`";
}

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  void run() {
    for (const Function& function : program_.functions) check_function(function);
    scopes_.assign(1, {});
    section("prepare_data", program_.prepare_data);
    const Scope globals = scopes_.front();
    const auto after_data = [&](const char* name, const std::vector<StmtPtr>& body) {
      scopes_.assign(1, globals);
      scopes_.emplace_back();
      section(name, body);
    };
    check_outputs();
    after_data("log_prob", program_.log_prob);
    after_data("reverse_mode_log_prob", program_.reverse_mode_log_prob);
    after_data("generate_quantities", program_.generate_quantities);
    after_data("transform_inits", program_.transform_inits);
    after_data("unconstrain_array", program_.unconstrain_array);
  }

 private:
  using Scope = std::map<std::string, Type>;

  [[noreturn]] void fail(const std::string& what) const {
    std::string text = where_ + ": " + what;
    if (current_) text += "; in: " + to_pretty(*current_);
    throw InputError(text);
  }

  void want(const Type& found, const Type& wanted, const std::string& what) const {
    if (!(found == wanted)) fail(what + " has type " + quoted(found) + ", expected " + quoted(wanted));
  }

  // ---- sections and functions

  void section(const char* name, const std::vector<StmtPtr>& body) {
    where_ = name;
    function_ = nullptr;
    loops_ = 0;
    current_ = nullptr;
    statements(body);
  }

  void check_function(const Function& function) {
    if (!function.body) return;
    where_ = "function " + function.name;
    function_ = &function;
    loops_ = 0;
    current_ = nullptr;
    scopes_.assign(1, {});
    for (const FunctionArg& arg : function.args) declare(arg.name, arg.type);
    scoped(*function.body);
  }

  void check_outputs() {
    where_ = "output_vars";
    current_ = nullptr;
    for (const OutputVar& output : program_.output_vars) {
      sizes(output.constrained);
      sizes(output.unconstrained);
    }
  }

  // ---- names

  void declare(const std::string& name, const Type& type) {
    if (!scopes_.back().emplace(name, type).second) fail("variable " + name + " is declared twice in one scope");
  }

  const Type* lookup(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    return nullptr;
  }

  Type declared_type(const std::string& name) const {
    static const Type kInt(BaseType::Int);
    const bool flag = name == "emit_generated_quantities__" || name == "emit_transformed_parameters__";
    if (flag) return kInt;
    const Type* type = lookup(name);
    if (!type) fail("variable " + name + " is used but not declared");
    return *type;
  }

  // ---- expressions

  void of_int(const ExprPtr& expr, const std::string& what) {
    if (!expr) fail(what + " is missing");
    check(*expr);
    want(expr->type, BaseType::Int, what);
  }

  void all(const std::vector<ExprPtr>& exprs) {
    for (const ExprPtr& expr : exprs) {
      if (!expr) fail("an expression is missing");
      check(*expr);
    }
  }

  void check(const Expr& e) {
    if (e.type.is_error()) fail("an expression without type: " + to_pretty(e));
    match(
        e.node, [&](const Var& v) { variable(e, v); }, [&](const Lit& lit) { literal(e, lit); },
        [&](const FunApp& f) { call(e, f); }, [&](const TernaryIf& t) { ternary(e, t); },
        [&](const EAnd& a) { logical(a.left, a.right); }, [&](const EOr& o) { logical(o.left, o.right); },
        [&](const Indexed& x) {
          check(*x.base);
          indexes(x.indexes);
          want(e.type, indexed_type(x.base->type, x.indexes), "`" + to_pretty(e) + "`");
        },
        [&](const Promotion& p) { promotion(e, p); }, [&](const TupleProjection& p) { projection(e, p); });
  }

  void variable(const Expr& e, const Var& v) {
    if (e.type.base() == BaseType::Function) return;  // names a function, built-in or not
    want(e.type, declared_type(v.name), "variable " + v.name);
  }

  void literal(const Expr& e, const Lit& lit) {
    if (lit.kind == Lit::Kind::Str) return;
    const BaseType type = lit.kind == Lit::Kind::Int    ? BaseType::Int
                          : lit.kind == Lit::Kind::Real ? BaseType::Real
                                                        : BaseType::Complex;
    want(e.type, type, "literal " + lit.text);
  }

  void logical(const ExprPtr& left, const ExprPtr& right) {
    of_int(left, "left operand of a logical operator");
    of_int(right, "right operand of a logical operator");
  }

  void ternary(const Expr& e, const TernaryIf& t) {
    of_int(t.test, "condition of ?:");
    all({t.yes, t.no});
    want(t.yes->type, e.type, "first branch of ?:");
    want(t.no->type, e.type, "second branch of ?:");
  }

  void promotion(const Expr& e, const Promotion& p) {
    check(*p.operand);
    want(p.scalar, scalar_of(e.type), "scalar of a promotion");
    if (p.operand->type.array_dims() != e.type.array_dims())
      fail("a promotion of " + quoted(p.operand->type) + " to " + quoted(e.type));
  }

  void projection(const Expr& e, const TupleProjection& p) {
    check(*p.tuple);
    const Type& tuple = p.tuple->type;
    if (!tuple.is(BaseType::Tuple) || p.slot < 1 || p.slot > static_cast<int>(tuple.slots().size()))
      fail("slot " + std::to_string(p.slot) + " of " + quoted(tuple));
    want(e.type, tuple.slots()[static_cast<std::size_t>(p.slot - 1)], "`" + to_pretty(e) + "`");
  }

  void call(const Expr& e, const FunApp& f) {
    all(f.args);
    match(
        f.fn, [&](const StanLib&) {}, [&](const UserDefined& u) { user_call(u, f.args, &e.type); },
        [&](const CompilerInternal& i) { internal(e, i, f.args); });
  }

  void internal(const Expr& e, const CompilerInternal& fn, const std::vector<ExprPtr>& args) {
    all(fn.dims);
    if (fn.fn == Internal::FnLength) want(e.type, BaseType::Int, "FnLength");
    if (fn.fn == Internal::FnMakeArray)
      for (const ExprPtr& arg : args) want(arg->type, e.type.element(), "item of an array literal");
    if (fn.fn == Internal::FnMakeTuple)
      for (std::size_t i = 0; i < args.size(); ++i)
        want(args[i]->type, e.type.slots().at(i), "slot of a tuple literal");
  }

  void user_call(const UserDefined& callee, const std::vector<ExprPtr>& args, const Type* result) const {
    const bool found = std::ranges::any_of(program_.functions, [&](const Function& function) {
      if (function.name != callee.name) return false;
      if (result ? !function.result || !(*function.result == *result) : function.result.has_value()) return false;
      return std::ranges::equal(function.args, args, [](const FunctionArg& formal, const ExprPtr& actual) {
        return formal.type == actual->type;
      });
    });
    if (found) return;
    std::string types;
    for (const ExprPtr& arg : args) types += (types.empty() ? "" : ", ") + arg->type.str();
    fail("no function " + callee.name + "(" + types + ") with the result of this call");
  }

  void indexes(const std::vector<Index>& list) {
    for (const Index& index : list) switch (index.kind) {
        case Index::Kind::All:
          break;
        case Index::Kind::Single:
        case Index::Kind::Upfrom:
          of_int(index.low, "an index");
          break;
        case Index::Kind::Between:
          of_int(index.low, "lower end of an index range");
          of_int(index.high, "upper end of an index range");
          break;
        case Index::Kind::Multi:
          check(*index.low);
          want(index.low->type, Type(BaseType::Int, 1), "a multi-index");
          break;
      }
  }

  // ---- statements

  void statements(const std::vector<StmtPtr>& list) {
    for (const StmtPtr& stmt : list) check(*stmt);
  }

  void scoped(const Stmt& stmt) {
    scopes_.emplace_back();
    check(stmt);
    scopes_.pop_back();
  }

  void scoped(const std::vector<StmtPtr>& list) {
    scopes_.emplace_back();
    statements(list);
    scopes_.pop_back();
  }

  void check(const Stmt& stmt) {
    current_ = &stmt;
    match(
        stmt.node, [&](const Assignment& a) { assignment(a); }, [&](const TargetPE& t) { check(*t.value); },
        [&](const JacobianPE& j) { check(*j.value); }, [&](const NRFunApp& f) { procedure(f); },
        [&](const Break&) { in_loop("break"); }, [&](const Continue&) { in_loop("continue"); },
        [&](const Return& r) { returning(r); }, [&](const Skip&) {},
        [&](const IfElse& i) {
          of_int(i.test, "condition of if");
          scoped(*i.yes);
          if (i.no) scoped(*i.no);
        },
        [&](const While& w) {
          of_int(w.test, "condition of while");
          loop(*w.body);
        },
        [&](const For& f) { counted(f); }, [&](const Profile& p) { scoped(p.body); },
        [&](const Block& b) { scoped(b.body); }, [&](const SList& l) { statements(l.body); },
        [&](const Decl& d) { decl(d); });
  }

  void loop(const Stmt& body) {
    ++loops_;
    scoped(body);
    --loops_;
  }

  void counted(const For& f) {
    of_int(f.lower, "lower bound of for");
    of_int(f.upper, "upper bound of for");
    scopes_.emplace_back();
    declare(f.variable, BaseType::Int);
    loop(*f.body);
    scopes_.pop_back();
  }

  void in_loop(const char* what) const {
    if (loops_ == 0) fail(std::string(what) + " outside of a loop");
  }

  Type lvalue_base(const LValue& left) {
    if (!left.tuple) return declared_type(left.variable);
    const Type tuple = lvalue(*left.tuple);
    if (!tuple.is(BaseType::Tuple) || left.slot < 1 || left.slot > static_cast<int>(tuple.slots().size()))
      fail("assignment to slot " + std::to_string(left.slot) + " of " + quoted(tuple));
    return tuple.slots()[static_cast<std::size_t>(left.slot - 1)];
  }

  Type lvalue(const LValue& left) {
    const Type base = lvalue_base(left);
    indexes(left.indexes);
    return indexed_type(base, left.indexes);
  }

  void assignment(const Assignment& a) {
    const Type destination = lvalue(a.left);
    want(a.type, lvalue_base(a.left), "the recorded type of the destination");
    check(*a.right);
    want(a.right->type, destination, "the assigned value");
  }

  void procedure(const NRFunApp& f) {
    all(f.args);
    if (const auto* callee = std::get_if<UserDefined>(&f.fn)) user_call(*callee, f.args, nullptr);
    if (const auto* internal = as_internal(f.fn); internal && internal->var) check(*internal->var);
  }

  void returning(const Return& r) {
    const bool wants_value = function_ && function_->result;
    if (wants_value != (r.value != nullptr)) fail(wants_value ? "return without value" : "return with a value");
    if (!r.value) return;
    check(*r.value);
    want(r.value->type, *function_->result, "the returned value");
  }

  void sizes(const SizedType& type) {
    for (const ExprPtr& size : type.array_dims) of_int(size, "a size");
    for (const ExprPtr& size : type.sizes) of_int(size, "a size");
    for (const SizedType& slot : type.slots) sizes(slot);
  }

  void decl(const Decl& d) {
    const auto* sized = std::get_if<SizedType>(&d.type);
    if (sized) sizes(*sized);
    const Type type = sized ? sized->type() : std::get<Type>(d.type);
    if (d.init == Decl::Init::Assign) {
      if (!d.value) fail("a declaration without its initialiser");
      check(*d.value);
      want(d.value->type, type, "the initial value");
    }
    declare(d.id, type);
  }

  const Program& program_;
  std::vector<Scope> scopes_;
  std::string where_;
  const Function* function_ = nullptr;
  const Stmt* current_ = nullptr;
  int loops_ = 0;
};

}  // namespace

std::optional<std::string> verify(const Program& program) {
  try {
    Verifier(program).run();
    return std::nullopt;
  } catch (const InputError& violation) {
    return violation.what();
  }
}

}  // namespace fermiac::mir
