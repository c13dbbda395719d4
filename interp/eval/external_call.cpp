#include "interp/eval/external_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autodiff/dist/parts/rng.h"
#include "autodiff/errors.h"
#include "autodiff/solvers/solver_call.h"
#include "interp/eval/solver_operands.h"
#include "interp/value/numbers.h"
#include "support/output.h"

namespace fermiac::interp {
namespace {

using native::ExternalCall;
using native::ExternalFunction;
using native::ExternalNumbers;
using Dims = std::vector<std::uint32_t>;

Dims dims_of(const Shape& shape) {
  Dims out(shape.array_dims.begin(), shape.array_dims.begin() + shape.rank);
  if (shape.inner == ad::Inner::Vector || shape.inner == ad::Inner::Matrix) out.push_back(shape.rows);
  if (shape.inner == ad::Inner::RowVector || shape.inner == ad::Inner::Matrix) out.push_back(shape.cols);
  return out;
}

Shape shape_of(const Type& type, const std::uint32_t* dims) {
  Shape out;
  out.rank = static_cast<std::uint8_t>(type.array_dims());
  std::copy_n(dims, out.rank, out.array_dims.begin());
  dims += out.rank;
  switch (type.base()) {
    case BaseType::Vector: out.inner = ad::Inner::Vector, out.rows = dims[0]; break;
    case BaseType::RowVector: out.inner = ad::Inner::RowVector, out.cols = dims[0]; break;
    case BaseType::Matrix: out.inner = ad::Inner::Matrix, out.rows = dims[0], out.cols = dims[1]; break;
    default: break;
  }
  return out;
}

Value value_of(const Type& type, const ExternalNumbers& x) {
  const Shape shape = shape_of(type, x.dims);
  const std::size_t n = shape.size();
  if (type.base() == BaseType::Int) return shape.is_scalar() ? Value(x.ints[0]) : Value::ints(shape, {x.ints, x.ints + n});
  if (shape.is_scalar()) return x.reals[0];
  RealBuffer numbers(n);
  std::copy_n(x.reals, n, numbers.data());
  return Value::reals(shape, std::move(numbers));
}

/// One call into the header, and what it told.
class Call {
 public:
  Call(const FunctionCode& function, std::span<const ad::KernelArg> in) : function_(function), dims_(in.size()) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      dims_[i] = dims_of(in[i].shape);
      operands_.push_back({in[i].i, in[i].v, dims_[i].data()});
      gradients_.push_back(in[i].a);
    }
    call_ = {.operands = operands_.data(),
             .propto = false,
             .adjoints = nullptr,
             .gradients = gradients_.data(),
             .host = this,
             .result = [](void* host, const ExternalNumbers& x) { self(host).result_ = value_of(self(host).function_.result, x); },
             .print = [](void* host, const char* text, std::uint64_t n) { self(host).printed_.append(text, n); },
             .message = [](void* host, const char* text) { self(host).message_ = text; },
             .bits = [](void* host) { return (*self(host).rng_)(); },
             .draw = [](void* host, const char* name, const double* x, std::uint64_t n, double* out) { return self(host).draw(name, {x, n}, out); }};
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// What was printed stays in `printed`, also where the call fails.
  Value value(const ExternalFunction& f, bool propto, std::string* printed) {
    call_.propto = propto;
    const native::Ending ending = f.value(call_);
    *printed = std::move(printed_);
    end(ending);
    return std::move(result_);
  }
  /// What functions `_rng` draw from.
  void use(Rng* rng) { rng_ = rng; }
  void pull_back(const ExternalFunction& f, bool propto, const double* adjoints) {
    call_.propto = propto, call_.adjoints = adjoints;
    end(f.pull_back(call_));
  }

 private:
  static Call& self(void* host) { return *static_cast<Call*>(host); }
  /// Null, or what is wrong, for the header's side to throw.
  const char* draw(const char* name, std::span<const double> x, double* out) {
    const ad::RngOp* const op = ad::find_rng(name);
    try {
      if (op == nullptr || static_cast<std::size_t>(op->arity) != x.size()) throw ad::DomainError(fmt::format("there is no '{}' of {} numbers", name, x.size()));
      *out = ad::draw(*op, *rng_, x.data());
      return nullptr;
    } catch (const ad::DomainError& e) {
      problem_ = e.what();
      return problem_.c_str();
    }
  }
  void end(native::Ending ending) const {
    if (ending == native::Ending::Refused) throw ad::DomainError(message_);
    if (ending == native::Ending::Failed) throw ad::FatalError(fmt::format("{}: {}", function_.name, message_));
  }
  const FunctionCode& function_;
  std::vector<Dims> dims_;
  std::vector<ExternalNumbers> operands_;
  std::vector<double*> gradients_;
  ExternalCall call_{};
  Value result_;
  std::string printed_, message_, problem_;
  Rng* rng_ = nullptr;
};

void print(const PrintSink* sink, const std::string& text) {
  if (text.empty()) return;
  if (sink && *sink) (*sink)(text);
  else write_output(text);
}

/// A call on the tape.
class RecordedCall final : public ad::SolverCall {
 public:
  RecordedCall(const FunctionCode& function, const ExternalFunction& external, bool propto, Shape result, const PrintSink* sink)
      : function_(function), external_(external), propto_(propto), result_(result), print_(sink) {}
  /// A tape is replayed at the point where it was recorded: only then is printed what the function prints.
  void set_quiet(bool quiet) { quiet_ = quiet; }
  ad::Plan plan(const ad::KernelCall&) const override { return {.out = result_}; }
  void forward(const ad::KernelCall& call) const override {
    std::string printed;
    Value out = Call(function_, call.in).value(external_, propto_, &printed);
    if (!quiet_) print(print_, printed);
    if (out.shape() != result_) throw ad::SizeError(fmt::format("{}: its result has other sizes at other parameters", function_.name));
    if (result_.is_scalar()) call.out[0] = out.as_real();
    else std::copy_n(out.real_data().data(), result_.size(), call.out);
  }
  void reverse(const ad::KernelCall& call) const override {
    Call(function_, call.in).pull_back(external_, propto_, call.out_a);
  }

 private:
  const FunctionCode& function_;
  const ExternalFunction& external_;
  bool propto_;
  Shape result_;
  const PrintSink* print_;
  bool quiet_ = false;
};

struct ExternalBody final : StmtNode {
  ExternalBody(const FunctionCode& f, const ExternalFunction& e) : StmtNode(kNoSite), function(f), external(e) {}

  Flow run(Frame& f) const override {
    std::vector<Value> operands;
    for (std::size_t i = 0; i < function.formals.size(); ++i) {
      const bool ints = function.formals[i].base() == BaseType::Int;
      operands.push_back(ints ? f.slots[i] : real_operand(f.slots[i], f));
    }
    f.result_to_target = false;
    if (function.suffix == Suffix::Rng && !f.m.rng) throw ad::FatalError(fmt::format("{}: nothing can be drawn here", function.name));
    const bool carries = std::ranges::any_of(operands, &Value::is_autodiff);
    f.result = !carries ? plain(f, operands) : function.result.is_discrete() ? chosen(f, operands) : recorded(f, operands);
    return Flow::Return;
  }

  Value evaluated(Frame& f, const std::vector<Value>& operands, std::string* printed) const {
    const PlainKernelOperands in(operands);
    Call call(function, in.view());
    call.use(f.m.rng);
    return call.value(external, f.propto, printed);
  }
  static std::vector<Value> numbers(const Frame& f, const std::vector<Value>& operands) {
    std::vector<Value> out;
    for (const Value& v : operands) out.push_back(without_refs(f.m.recorder, v));
    return out;
  }
  Value plain(Frame& f, const std::vector<Value>& operands) const {
    std::string printed;
    Value out = evaluated(f, operands, &printed);
    f.m.printed |= !printed.empty();
    print(f.m.print, printed);
    return out;
  }
  /// Ints that come from parameters: nothing tells where they become others.
  Value chosen(Frame& f, const std::vector<Value>& operands) const {
    f.m.only_here = true;
    return plain(f, numbers(f, operands));
  }
  Value recorded(Frame& f, const std::vector<Value>& operands) const {
    if (!external.pull_back)
      throw ad::FatalError(fmt::format("{}: in the user's header it takes no numbers that carry derivatives: it must be a template over "
                                       "its kind of number, or its arguments `data`", function.name));
    std::string ignored;
    const Shape result = evaluated(f, numbers(f, operands), &ignored).shape();
    const auto call = std::make_shared<RecordedCall>(function, external, f.propto, result, f.m.print);
    call->set_quiet(!f.m.recorder->evaluates());
    Value out = record_solver(function.name, call, operands, *f.m.recorder);
    call->set_quiet(false);
    return out;
  }

  const FunctionCode& function;
  const ExternalFunction& external;
};

}  // namespace

StmtPtr make_external_body(const FunctionCode& function, const ExternalFunction& external) {
  return std::make_unique<ExternalBody>(function, external);
}

}  // namespace fermiac::interp
