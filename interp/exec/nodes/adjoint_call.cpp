// Calls of functions with an adjoint-Jacobian product of their own, `@grad_adj_jac(f, n)`: one operation on the tape,
// whose reverse pass calls the user's function for argument n, and differentiates f for the arguments that have none.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "autodiff/solvers/function.h"
#include "autodiff/tape/record/recorder.h"
#include "frontend/check/annotations.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/runs/solver_callback.h"
#include "interp/exec/runs/solver_operands.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

const PrintSink& silence() {
  static const PrintSink kSilence = [](std::string_view) {};
  return kSilence;
}

/// One argument of a call: a value that stays, or numbers that vary from one evaluation to the next.
struct Argument {
  Value fixed;
  Shape shape{};
  bool varies = false;
};

/// A user function of the numbers that vary in its arguments.
class PartialFunction final : public ad::FunctionSource {
 public:
  PartialFunction(const FunctionCode& function, std::vector<Argument> args, std::size_t outputs, const Machine& m)
      : function_(function), args_(std::move(args)), outputs_(outputs), print_(m.print), stop_(m.stop) {
    for (const Argument& arg : args_) inputs_ += arg.varies ? arg.shape.size() : 0;
  }
  std::size_t inputs() const override { return inputs_; }
  std::size_t outputs() const override { return outputs_; }

  std::shared_ptr<const ad::Tape> record(std::span<const double> x) const override {
    return record_function(x, function_.jit, print_, stop_, [&](Frame& f) {
      return references(call_function(function_, f, arguments()), *f.m.recorder);
    });
  }
  void poll() const override { ad::stop_if(stop_); }

 private:
  std::vector<Value> arguments() const {
    std::vector<Value> out;
    Ref next;
    for (const Argument& arg : args_) {
      if (!arg.varies) {
        out.push_back(arg.fixed);
        continue;
      }
      std::vector<Ref> refs(arg.shape.size());
      std::iota(refs.begin(), refs.end(), next);
      next += static_cast<std::uint32_t>(refs.size());
      out.push_back(arg.shape.is_scalar() ? Value::reference(refs[0]) : Value::refs(arg.shape, std::move(refs)));
    }
    return out;
  }

  std::vector<Ref> references(const Value& result, ad::Recorder& recorder) const {
    if (result.shape().size() != outputs_)
      throw ad::SizeError(
          fmt::format("{}: returned {} values, but there must be {}", function_.name, result.shape().size(), outputs_));
    return result_references(recorder, result);
  }

  const FunctionCode& function_;
  std::vector<Argument> args_;
  std::size_t inputs_ = 0, outputs_;
  const PrintSink* print_;
  const std::atomic<bool>* stop_;
};

/// Evaluations of one function, by any number of threads.
class Evaluations {
 public:
  explicit Evaluations(std::unique_ptr<const PartialFunction> function) : function_(std::move(function)) {}
  template <class Use>
  void with_run(Use use) const {
    auto run = runs_.take([&] { return std::make_unique<ad::FunctionRun>(*function_); });
    use(*run);
    runs_.give_back(std::move(run));
  }

 private:
  std::unique_ptr<const PartialFunction> function_;
  ad::Pool<ad::FunctionRun> runs_;
};

/// Operands: the arguments that vary, in order. Each has an adjoint of its own, or null.
class AdjointCall final : public ad::SolverCall {
 public:
  AdjointCall(Shape result, std::unique_ptr<Evaluations> f, std::vector<std::unique_ptr<Evaluations>> adjoints)
      : result_(result), f_(std::move(f)), adjoints_(std::move(adjoints)) {}

  ad::Plan plan(const ad::KernelCall&) const override { return {.out = result_}; }
  void forward(const ad::KernelCall& call) const override {
    const std::vector<double> x = inputs(call);
    f_->with_run([&](ad::FunctionRun& run) { run.value(x.data(), call.out); });
  }
  void reverse(const ad::KernelCall& call) const override {
    const std::vector<double> x = inputs(call);
    bool rest = false;
    for (std::size_t j = 0; j < call.in.size(); ++j) {
      if (!call.in[j].a) continue;
      if (adjoints_[j])
        by_user(*adjoints_[j], call, x, call.in[j]);
      else
        rest = true;
    }
    if (rest) by_differentiation(call, x);
  }

 private:
  static std::vector<double> inputs(const ad::KernelCall& call) {
    std::vector<double> x;
    for (const ad::KernelArg& in : call.in) x.insert(x.end(), in.v, in.v + in.shape.size());
    return x;
  }

  void by_user(const Evaluations& adjoint, const ad::KernelCall& call, std::vector<double> x,
               const ad::KernelArg& to) const {
    x.insert(x.end(), call.out_a, call.out_a + result_.size());
    std::vector<double> product(to.shape.size());
    adjoint.with_run([&](ad::FunctionRun& run) { run.value(x.data(), product.data()); });
    for (std::size_t i = 0; i < product.size(); ++i) ad::add_adjoint(to, i, product[i]);
  }

  void by_differentiation(const ad::KernelCall& call, const std::vector<double>& x) const {
    std::vector<double> value(result_.size()), gradient(x.size());
    f_->with_run(
        [&](ad::FunctionRun& run) { run.value_and_pull_back(x.data(), value.data(), call.out_a, gradient.data()); });
    std::size_t at = 0;
    for (std::size_t j = 0; j < call.in.size(); ++j)
      for (std::size_t i = 0; i < call.in[j].shape.size(); ++i, ++at)
        if (!adjoints_[j]) ad::add_adjoint(call.in[j], i, gradient[at]);
  }

  Shape result_;
  std::unique_ptr<Evaluations> f_;
  std::vector<std::unique_ptr<Evaluations>> adjoints_;
};

/// Whether an argument with an adjoint carries derivatives, and whether whatever does is numbers.
bool applies(const FunctionCode& function, const std::vector<Value>& values) {
  bool any = false;
  for (std::size_t i = 0; i < function.adjoints.size(); ++i) {
    if (!values[i].is_autodiff()) continue;
    if (!check::has_adjoint(function.formals[i])) return false;
    any = any || function.adjoints[i];
  }
  return any;
}

std::unique_ptr<Evaluations> evaluations(const FunctionCode& code, const std::vector<Argument>& inputs,
                                         std::size_t outputs, const Frame& f) {
  return std::make_unique<Evaluations>(std::make_unique<const PartialFunction>(code, inputs, outputs, f.m));
}

/// By calling the function once: what it prints is printed when it is recorded.
Shape result_shape(const FunctionCode& function, const std::vector<Value>& values, const Frame& f) {
  std::vector<Value> plain;
  for (const Value& v : values) plain.push_back(without_refs(f.m.recorder, v));
  Machine m;
  m.print = &silence();
  m.stop = f.m.stop;
  m.depth = f.m.depth;
  Frame frame{.m = m};
  return call_function(function, frame, std::move(plain)).shape();
}

Value recorded(const FunctionCode& function, const std::vector<Value>& values, Frame& f) {
  const Shape result = result_shape(function, values, f);
  std::vector<Argument> inputs;
  std::vector<Value> operands;
  for (const Value& v : values) {
    inputs.push_back(v.is_autodiff() ? Argument{{}, v.shape(), true} : Argument{v, v.shape(), false});
    if (v.is_autodiff()) operands.push_back(v);
  }
  std::vector<Argument> with_adjoint = inputs;
  with_adjoint.push_back({{}, result, true});
  std::vector<std::unique_ptr<Evaluations>> adjoints;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (inputs[i].varies)
      adjoints.push_back(
          function.adjoints[i] ? evaluations(*function.adjoints[i], with_adjoint, inputs[i].shape.size(), f) : nullptr);
  return solve(
      function.name,
      std::make_shared<const AdjointCall>(result, evaluations(function, inputs, result.size(), f), std::move(adjoints)),
      std::move(operands), f);
}

struct AdjointNode final : ExprNode {
  AdjointNode(const FunctionCode& f, const Type& t, bool may, std::vector<ExprPtr> a)
      : ExprNode(t, may), function(f), args(std::move(a)) {}

  Value eval(Frame& f) const override {
    std::vector<Value> values;
    for (const ExprPtr& arg : args) values.push_back(arg->eval(f));
    return call_with_adjoints(function, f, std::move(values));
  }

  const FunctionCode& function;
  std::vector<ExprPtr> args;
};

bool is_adjoint(const FunctionCode& candidate, const FunctionCode& f, std::size_t argument) {
  if (f.suffix != Suffix::Plain || !check::has_adjoint(f.result)) return false;
  if (!check::has_adjoint(f.formals[argument]) || candidate.result != f.formals[argument]) return false;
  std::vector<Type> formals = f.formals;
  formals.push_back(f.result);
  return candidate.formals == formals;
}

void connect(const FunctionCode& adjoint, const std::vector<std::string>& arguments, const Code& code) {
  if (arguments.size() != 2) return;
  std::size_t number = 0;
  std::from_chars(arguments[1].data(), arguments[1].data() + arguments[1].size(), number);
  for (const auto& f : code.functions) {
    if (f->name != arguments[0] || number < 1 || number > f->formals.size() || !is_adjoint(adjoint, *f, number - 1))
      continue;
    f->adjoints.resize(f->formals.size());
    if (!f->adjoints[number - 1]) f->adjoints[number - 1] = &adjoint;
  }
}

}  // namespace

Value call_with_adjoints(const FunctionCode& function, Frame& f, std::vector<Value> arguments, CallActivity activity) {
  if (f.recording && applies(function, arguments)) return recorded(function, arguments, f);
  return call_function(function, f, std::move(arguments), activity);
}

void connect_adjoints(const mir::Program& program, const Code& code) {
  for (std::size_t i = 0; i < program.functions.size(); ++i)
    if (program.functions[i].body)
      for (const std::string& annotation : program.functions[i].annotations)
        if (check::annotation_name(annotation) == "grad_adj_jac")
          connect(*code.functions[i], check::annotation_arguments(annotation), code);
}

ExprPtr make_adjoint_call(const FunctionCode& function, const Type& result, std::vector<ExprPtr> args) {
  const bool may_ref = std::ranges::any_of(args, [](const ExprPtr& arg) { return arg->may_ref; });
  return std::make_unique<AdjointNode>(function, result, may_ref, std::move(args));
}

}  // namespace fermiac::interp
