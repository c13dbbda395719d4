// Bodies of functions that a program declares and a user's header in C++ defines, in the machine code of the program.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/solvers/solver_call.h"
#include "interp/exec/runs/external_leaves.h"
#include "interp/exec/runs/solver_operands.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/platform/output.h"

namespace fermiac::interp {
namespace {

using native::ExternalCall;
using native::ExternalFunction;
using native::ExternalNumbers;

bool adds_to_target(const FunctionCode& f) { return f.suffix == Suffix::Target || f.suffix == Suffix::Jacobian; }
/// The template argument of functions that have one.
bool flag_of(const FunctionCode& f, const Frame& frame) { return f.suffix == Suffix::Jacobian ? frame.m.jacobian : frame.propto; }

/// One call into the header, and what it told.
class Call {
 public:
  Call(const FunctionCode& function, std::span<const ad::KernelArg> in) : function_(function), types_(leaves_of(function.result)), dims_(in.size()) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      dims_[i] = dims_of(in[i].shape);
      operands_.push_back({in[i].i, in[i].v, dims_[i].data()});
      gradients_.push_back(in[i].a);
    }
    call_ = {.operands = operands_.data(),
             .flag = false,
             .adjoints = nullptr,
             .gradients = gradients_.data(),
             .host = this,
             .result = [](void* host, const ExternalNumbers& x) { self(host).take(x); },
             .print = [](void* host, const char* text, std::uint64_t n) { self(host).printed_.append(text, n); },
             .message = [](void* host, const char* text) { self(host).message_ = text; },
             .reads_target = [](void* host) { self(host).reads_target_ = true; },
             .bits = [](void* host) { return (*self(host).rng_)(); },
             .draw = [](void* host, const char* name, const double* x, std::uint64_t n, double* out) { return self(host).draw(name, {x, n}, out); }};
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The leaves of its result. What was printed stays in `printed`, also where the call fails.
  std::vector<Value> value(const ExternalFunction& f, bool flag, std::string* printed) {
    call_.flag = flag;
    const native::Ending ending = f.value(call_);
    *printed = std::move(printed_);
    end(ending);
    return std::move(leaves_);
  }
  /// What it added to target, and whether it asked what was there before.
  double added() const { return added_; }
  bool reads_target() const { return reads_target_; }
  /// What functions `_rng` draw from.
  void use(Rng* rng) { rng_ = rng; }
  void pull_back(const ExternalFunction& f, bool flag, const double* adjoints) {
    call_.flag = flag, call_.adjoints = adjoints;
    end(f.pull_back(call_));
  }

 private:
  static Call& self(void* host) { return *static_cast<Call*>(host); }
  void take(const ExternalNumbers& x) {
    if (leaves_.size() < types_.size()) leaves_.push_back(value_of(types_[leaves_.size()], x));
    else added_ = x.reals[0];
  }
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
  std::vector<Type> types_;  // of the leaves of the result
  std::vector<std::vector<std::uint32_t>> dims_;
  std::vector<ExternalNumbers> operands_;
  std::vector<double*> gradients_;
  ExternalCall call_{};
  std::vector<Value> leaves_;
  double added_ = 0;
  bool reads_target_ = false;
  std::string printed_, message_, problem_;
  Rng* rng_ = nullptr;
};

void print(const PrintSink* sink, const std::string& text) {
  if (text.empty()) return;
  if (sink && *sink) (*sink)(text);
  else write_output(text);
}

/// What one evaluation on numbers tells.
struct Evaluated {
  std::vector<Value> leaves;
  double added = 0;
  bool reads_target = false;
  std::string printed;

  std::size_t reals() const {
    std::size_t out = 0;
    for (const Value& leaf : leaves) out += real_count(leaf);
    return out;
  }
};

/// A call on the tape: the reals of its result and what it adds to target, in a row.
class RecordedCall final : public ad::SolverCall {
 public:
  RecordedCall(const FunctionCode& function, const ExternalFunction& external, bool flag, const Evaluated& here, const PrintSink* sink)
      : function_(function), external_(external), flag_(flag), numbers_(here.reals() + adds_to_target(function)), given_(here.reads_target), print_(sink) {
    for (const Value& leaf : here.leaves) shapes_.push_back(leaf.shape());
  }
  /// A tape is replayed at the point where it was recorded: only then is printed what the function prints.
  void set_quiet(bool quiet) { quiet_ = quiet; }
  ad::Plan plan(const ad::KernelCall&) const override { return {.out = Shape::vector(static_cast<std::uint32_t>(numbers_))}; }
  void forward(const ad::KernelCall& call) const override {
    std::string printed;
    Call external(function_, call.in);
    const std::vector<Value> leaves = external.value(external_, flag_, &printed);
    if (!quiet_) print(print_, printed);
    if (external.reads_target() && !given_)
      throw ad::FatalError(fmt::format("{}: it reads what is in target here, but did not where the density was recorded", function_.name));
    double* out = call.out;
    for (std::size_t i = 0; i < leaves.size(); ++i) out = copied(leaves[i], shapes_[i], out);
    if (adds_to_target(function_)) *out = external.added();
  }
  void reverse(const ad::KernelCall& call) const override {
    Call(function_, call.in).pull_back(external_, flag_, call.out_a);
  }

 private:
  double* copied(const Value& leaf, const Shape& shape, double* out) const {
    if (leaf.shape() != shape) throw ad::SizeError(fmt::format("{}: its result has other sizes at other parameters", function_.name));
    if (leaf.kind() == Value::Kind::Real) *out = leaf.as_real();
    else if (leaf.kind() == Value::Kind::Reals) std::copy_n(leaf.real_data().data(), shape.size(), out);
    return out + real_count(leaf);
  }
  const FunctionCode& function_;
  const ExternalFunction& external_;
  bool flag_;
  std::size_t numbers_;
  bool given_;
  std::vector<Shape> shapes_;  // of the leaves of the result
  const PrintSink* print_;
  bool quiet_ = false;
};

bool carries(const std::vector<Value>& operands) { return std::ranges::any_of(operands, &Value::is_autodiff); }

struct ExternalBody final : StmtNode {
  ExternalBody(const FunctionCode& f, const ExternalFunction& e) : StmtNode(kNoSite), function(f), external(e) {}

  Flow run(Frame& f) const override {
    std::vector<Value> operands;
    for (std::size_t i = 0; i < function.formals.size(); ++i) add_operands(f, function.formals[i], f.slots[i], operands);
    f.result_to_target = false;
    if (function.suffix == Suffix::Rng && !f.m.rng) throw ad::FatalError(fmt::format("{}: nothing can be drawn here", function.name));
    f.result = adds_to_target(function) ? adding(f, std::move(operands)) : returning(f, operands);
    return Flow::Return;
  }

  static void add_operands(Frame& f, const Type& formal, const Value& value, std::vector<Value>& out) {
    for (const Value& leaf : leaves_of(promoted(value, formal, f.m.recorder))) out.push_back(holds_ints(leaf) ? leaf : real_operand(leaf, f));
  }
  Value result_of(const Evaluated& x) const { return joined(function.result, x.leaves); }

  Value returning(Frame& f, const std::vector<Value>& operands) const {
    if (!carries(operands)) return result_of(said(f, evaluated(f, operands)));
    if (function.result.is_discrete() || function.result.is(BaseType::Void)) return result_of(chosen(f, operands));
    return recorded(f, operands, evaluated(f, numbers(f, operands)));
  }
  Value adding(Frame& f, std::vector<Value> operands) const {
    operands.emplace_back(f.recording ? f.m.recorder->target_value() : f.m.lp);
    const Evaluated here = evaluated(f, numbers(f, operands));
    if (f.recording && here.reads_target) operands.back() = real_operand(Value::reference(f.m.recorder->target_ref()), f);
    if (carries(operands)) return recorded(f, operands, here);
    if (f.recording) f.m.recorder->target_constant(here.added);
    else f.m.lp += here.added;
    return result_of(said(f, here));
  }

  Evaluated evaluated(Frame& f, const std::vector<Value>& operands) const {
    const PlainKernelOperands in(operands);
    Call call(function, in.view());
    call.use(f.m.rng);
    Evaluated out;
    out.leaves = call.value(external, flag_of(function, f), &out.printed);
    out.added = call.added(), out.reads_target = call.reads_target();
    return out;
  }
  static std::vector<Value> numbers(const Frame& f, const std::vector<Value>& operands) {
    std::vector<Value> out;
    for (const Value& v : operands) out.push_back(without_refs(f.m.recorder, v));
    return out;
  }
  static Evaluated said(Frame& f, Evaluated x) {
    f.m.printed |= !x.printed.empty();
    print(f.m.print, x.printed);
    return x;
  }
  /// Ints that come from parameters, and what may refuse them: nothing tells where they become others.
  Evaluated chosen(Frame& f, const std::vector<Value>& operands) const {
    f.m.only_here = true;
    return said(f, evaluated(f, numbers(f, operands)));
  }
  /// `here`: what it gives at this point.
  Value recorded(Frame& f, const std::vector<Value>& operands, const Evaluated& here) const {
    if (!external.pull_back)
      throw ad::FatalError(fmt::format("{}: in the user's header it takes no numbers that carry derivatives: it must be a template over "
                                       "its kind of number, or its arguments `data`", function.name));
    const auto call = std::make_shared<RecordedCall>(function, external, flag_of(function, f), here, f.m.print);
    call->set_quiet(!f.m.recorder->evaluates());
    const Value out = record_solver(function.name, call, operands, *f.m.recorder);
    call->set_quiet(false);
    return parted(f, out.ref_data(), here);
  }
  /// The numbers of the leaves, in order; what is left goes to target. Ints are those of this point.
  Value parted(Frame& f, const std::vector<Ref>& numbers, const Evaluated& here) const {
    std::vector<Value> leaves;
    std::size_t next = 0;
    for (const Value& leaf : here.leaves) {
      f.m.only_here |= holds_ints(leaf);
      leaves.push_back(holds_ints(leaf) ? leaf : reference_block(leaf.shape(), numbers.at(next)));
      next += real_count(leaf);
    }
    if (adds_to_target(function)) f.m.recorder->target(numbers.at(next));
    return joined(function.result, leaves);
  }

  const FunctionCode& function;
  const ExternalFunction& external;
};

}  // namespace

StmtPtr make_external_body(const FunctionCode& function, const ExternalFunction& external) {
  return std::make_unique<ExternalBody>(function, external);
}

}  // namespace fermiac::interp
