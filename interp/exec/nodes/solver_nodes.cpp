// Calls of solvers: ordinary differential equations, algebraic systems, integrals. The user function becomes a tape of its
// own (solver_callback.h), the solve one operation on the recording (autodiff/solvers/solver_call.h).
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "autodiff/solvers/dae.h"
#include "autodiff/solvers/ode.h"
#include "autodiff/solvers/quadrature.h"
#include "autodiff/solvers/root.h"
#include "autodiff/solvers/solver_call.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/runs/solver_callback.h"
#include "interp/exec/runs/solver_operands.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::OdeMethod;

/// A call, its arguments sorted by what they are for.
struct Arguments {
  std::vector<Value> operands;   // what is solved from: initial state, times, limits …
  std::vector<Value> controls;   // tolerances …: numbers
  std::vector<Value> rest;       // passed on to the user function

  double control(std::size_t i, double otherwise) const {
    return controls.empty() ? otherwise : number(controls.at(i));
  }
  std::vector<double> vector_control(std::size_t i) const {
    const RealBuffer& x = controls.at(i).real_data();
    return {x.data(), x.data() + x.size()};
  }
  int int_control(std::size_t i) const { return static_cast<int>(number(controls.at(i))); }
};

/// What is to be done with which operands.
struct Problem {
  std::shared_ptr<const ad::SolverCall> solver;
  std::vector<Value> operands;
};

struct SolverRow {
  Builtin fn;
  Problem (*problem)(const SolverRow& row, const FunctionCode& function, Arguments args, const Frame& f);
  int method;
  std::size_t operands;          // arguments behind the function
  std::size_t controls;          // arguments behind these …
  bool controls_last = false;    // … or at the end, where they may be missing: the functions of old
  std::vector<Type> (*varied)() = nullptr;  // leading arguments of the user function
  std::string_view name() const { return name_of(fn); }
};

std::vector<Type> time_and_vector() {
  return {BaseType::Real, BaseType::Vector};
}
std::vector<Type> time_and_array() {
  return {BaseType::Real, Type(BaseType::Real, 1)};
}

std::vector<Type> time_and_two_vectors() {
  return {BaseType::Real, BaseType::Vector, BaseType::Vector};
}
std::vector<Type> vector() {
  return {BaseType::Vector};
}
std::vector<Type> two_reals() {
  return {BaseType::Real, BaseType::Real};
}

std::shared_ptr<const Callback> callback(const SolverRow& row, const FunctionCode& function, std::vector<Shape> varied,
                                         std::size_t outputs, const Arguments& args, const Frame& f) {
  return std::make_shared<const Callback>(
      function, Callback::Signature{.solver = row.name(), .varied = std::move(varied), .outputs = outputs}, args.rest, f);
}

/// The operands with `others` of the user function behind them.
std::vector<Value> with_others(std::vector<Value> operands, const Callback& function) {
  operands.push_back(function.others());
  return operands;
}

// ---------------------------------------------------------------- differential equations

Problem ode_problem(const SolverRow& row, const FunctionCode& function, Arguments args, const Frame& f) {
  const auto method = static_cast<OdeMethod>(row.method);
  const bool multistep = method == OdeMethod::Adams || method == OdeMethod::Bdf;
  const double tolerance = multistep ? 1e-10 : 1e-6;
  const Shape state = args.operands[0].shape();
  const ad::OdeOptions options{.name = row.name(), .method = method, .rel_tol = args.control(0, tolerance),
                               .abs_tol = args.control(1, tolerance),
                               .max_steps = args.control(2, multistep ? 1e8 : 1e6), .array_state = state.rank > 0};
  auto rhs = callback(row, function, {Shape::scalar(), state}, state.size(), args, f);
  auto operands = with_others(std::move(args.operands), *rhs);
  return {ad::make_ode_call(options, std::move(rhs)), std::move(operands)};
}

Problem adjoint_problem(const SolverRow& row, const FunctionCode& function, Arguments args, const Frame& f) {
  const Shape state = args.operands[0].shape();
  const ad::AdjointOdeOptions options{
      .name = row.name(), .rel_tol = args.control(0, 0), .rel_tol_backward = args.control(2, 0),
      .rel_tol_quadrature = args.control(4, 0), .abs_tol_quadrature = args.control(5, 0),
      .abs_tol = args.vector_control(1), .abs_tol_backward = args.vector_control(3), .max_steps = args.control(6, 0),
      .steps_between_checkpoints = args.int_control(7), .interpolation = args.int_control(8),
      .solver = args.int_control(9), .solver_backward = args.int_control(10)};
  auto rhs = callback(row, function, {Shape::scalar(), state}, state.size(), args, f);
  auto operands = with_others(std::move(args.operands), *rhs);
  return {ad::make_adjoint_ode_call(options, std::move(rhs)), std::move(operands)};
}

Problem dae_problem(const SolverRow& row, const FunctionCode& function, Arguments args, const Frame& f) {
  const Shape state = args.operands[0].shape();
  const ad::DaeOptions options{.name = row.name(), .rel_tol = args.control(0, 1e-10), .abs_tol = args.control(1, 1e-10),
                               .max_steps = args.control(2, 1e8)};
  auto residual = callback(row, function, {Shape::scalar(), state, args.operands[1].shape()}, state.size(), args, f);
  auto operands = with_others(std::move(args.operands), *residual);
  return {ad::make_dae_call(options, std::move(residual)), std::move(operands)};
}

// ---------------------------------------------------------------- roots and integrals

Problem root_problem(const SolverRow& row, const FunctionCode& function, Arguments args, const Frame& f) {
  const auto method = static_cast<ad::RootMethod>(row.method);
  const ad::RootOptions options{.name = row.name(), .method = method,
                                .step_tol = args.control(0, method == ad::RootMethod::Newton ? 1e-3 : 1e-10),
                                .f_tol = args.control(1, 1e-6), .max_steps = args.control(2, 200)};
  const Shape state = args.operands[0].shape();
  auto equations = callback(row, function, {state}, state.size(), args, f);
  auto operands = with_others(std::move(args.operands), *equations);
  return {ad::make_root_call(options, std::move(equations)), std::move(operands)};
}

Problem integral_problem(const SolverRow& row, const FunctionCode& function, Arguments args, const Frame& f) {
  const auto rule = static_cast<ad::QuadratureRule>(row.method);
  const bool only_relative = args.controls.size() == 1;
  const ad::QuadratureOptions options{.name = row.name(), .rule = rule,
                                      .rel_tol = args.control(0, 1.4901161193847656e-8),
                                      .abs_tol = only_relative ? 0 : args.control(1, 0),
                                      .max_refinements = only_relative ? 15 : args.control(2, 15)};
  auto integrand = callback(row, function, {Shape::scalar(), Shape::scalar()}, 1, args, f);
  auto operands = with_others(std::move(args.operands), *integrand);
  return {ad::make_quadrature_call(options, std::move(integrand)), std::move(operands)};
}

constexpr int kNewton = static_cast<int>(ad::RootMethod::Newton);
constexpr int kPowell = static_cast<int>(ad::RootMethod::Powell);
constexpr int kExponential = static_cast<int>(ad::QuadratureRule::DoubleExponential);
constexpr int kKronrod = static_cast<int>(ad::QuadratureRule::GaussKronrod);
constexpr int kRk45 = static_cast<int>(OdeMethod::DormandPrince);
constexpr int kCkrk = static_cast<int>(OdeMethod::CashKarp);
constexpr int kAdams = static_cast<int>(OdeMethod::Adams);
constexpr int kBdf = static_cast<int>(OdeMethod::Bdf);

constexpr SolverRow kSolvers[] = {
    {Builtin::ode_rk45, ode_problem, kRk45, 3, 0, false, time_and_vector},
    {Builtin::ode_ckrk, ode_problem, kCkrk, 3, 0, false, time_and_vector},
    {Builtin::ode_adams, ode_problem, kAdams, 3, 0, false, time_and_vector},
    {Builtin::ode_bdf, ode_problem, kBdf, 3, 0, false, time_and_vector},
    {Builtin::ode_rk45_tol, ode_problem, kRk45, 3, 3, false, time_and_vector},
    {Builtin::ode_ckrk_tol, ode_problem, kCkrk, 3, 3, false, time_and_vector},
    {Builtin::ode_adams_tol, ode_problem, kAdams, 3, 3, false, time_and_vector},
    {Builtin::ode_bdf_tol, ode_problem, kBdf, 3, 3, false, time_and_vector},
    {Builtin::integrate_ode, ode_problem, kRk45, 3, 3, true, time_and_array},
    {Builtin::integrate_ode_rk45, ode_problem, kRk45, 3, 3, true, time_and_array},
    {Builtin::integrate_ode_adams, ode_problem, kAdams, 3, 3, true, time_and_array},
    {Builtin::integrate_ode_bdf, ode_problem, kBdf, 3, 3, true, time_and_array},
    {Builtin::ode_adjoint_tol_ctl, adjoint_problem, 0, 3, 11, false, time_and_vector},
    {Builtin::dae, dae_problem, 0, 4, 0, false, time_and_two_vectors},
    {Builtin::dae_tol, dae_problem, 0, 4, 3, false, time_and_two_vectors},
    {Builtin::solve_newton, root_problem, kNewton, 1, 0, false, vector},
    {Builtin::solve_newton_tol, root_problem, kNewton, 1, 3, false, vector},
    {Builtin::solve_powell, root_problem, kPowell, 1, 0, false, vector},
    {Builtin::solve_powell_tol, root_problem, kPowell, 1, 3, false, vector},
    {Builtin::algebra_solver, root_problem, kPowell, 1, 3, true, vector},
    {Builtin::algebra_solver_newton, root_problem, kNewton, 1, 3, true, vector},
    {Builtin::integrate_1d, integral_problem, kExponential, 2, 1, true, two_reals},
    {Builtin::integrate_1d_double_exponential, integral_problem, kExponential, 2, 0, false, two_reals},
    {Builtin::integrate_1d_double_exponential_tol, integral_problem, kExponential, 2, 3, false, two_reals},
    {Builtin::integrate_1d_gauss_kronrod, integral_problem, kKronrod, 2, 0, false, two_reals},
    {Builtin::integrate_1d_gauss_kronrod_tol, integral_problem, kKronrod, 2, 3, false, two_reals},
};

const SolverRow* find_solver(Builtin fn) {
  const auto* it = std::ranges::find(kSolvers, fn, &SolverRow::fn);
  return it == std::end(kSolvers) ? nullptr : it;
}

/// Where the arguments behind the function belong.
struct Layout {
  std::size_t operands, controls, first_control, first_rest, end_rest;
};
Layout layout(const SolverRow& row, std::size_t count) {
  if (!row.controls_last)
    return {row.operands, row.controls, row.operands, row.operands + row.controls, count};
  constexpr std::size_t kRest = 3;  // parameters, data, int data
  const std::size_t first_control = std::min(row.operands + kRest, count);
  return {row.operands, count - first_control, first_control, row.operands, first_control};
}

// ---------------------------------------------------------------- running a solver

struct SolverNode final : ExprNode {
  SolverNode(const SolverRow& r, const FunctionCode& fn, const Type& t, bool may, std::vector<ExprPtr> a)
      : ExprNode(t, may), row(r), function(fn), args(std::move(a)) {}

  Value eval(Frame& f) const override {
    Problem problem = row.problem(row, function, sorted(f), f);
    return solve(row.name(), problem.solver, std::move(problem.operands), f);
  }
  Arguments sorted(Frame& f) const {
    const Layout where = layout(row, args.size());
    Arguments out;
    for (std::size_t i = 0; i < args.size(); ++i) {
      Value v = args[i]->eval(f);
      const bool control = i >= where.first_control && i < where.first_control + where.controls;
      if (i < where.operands) out.operands.push_back(promoted(std::move(v), BaseType::Real, f.m.recorder));
      else (control ? out.controls : out.rest).push_back(std::move(v));
    }
    return out;
  }
  const SolverRow& row;
  const FunctionCode& function;
  std::vector<ExprPtr> args;
};

}  // namespace

bool is_solver(Builtin fn) {
  return find_solver(fn) != nullptr;
}

std::vector<Type> solver_callback_types(Builtin fn, std::span<const Type> arguments) {
  const SolverRow& row = *find_solver(fn);
  const Layout where = layout(row, arguments.size());
  std::vector<Type> formals = row.varied();
  for (std::size_t i = where.first_rest; i < where.end_rest; ++i) formals.push_back(arguments[i]);
  return formals;
}

ExprPtr make_solver_call(Builtin fn, const FunctionCode& function, const Type& result,
                         std::vector<ExprPtr> args) {
  const bool may_ref = std::ranges::any_of(args, [](const ExprPtr& a) { return a->may_ref; });
  return std::make_unique<SolverNode>(*find_solver(fn), function, result, may_ref, std::move(args));
}

}  // namespace fermiac::interp
