// Calls: built-in functions, user functions, target().
#include <fmt/format.h>

#include <array>

#include "autodiff/tape/record/recorder.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/runs/code.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

/// Draws are recorded too, whatever their arguments: ints as well, by statements that know (draw_steps.h).
bool draws(std::string_view function) { return function.ends_with("_rng"); }

// ---------------------------------------------------------------- built-in functions

/// Evaluated arguments; a handful sits on the stack.
class Arguments {
 public:
  Arguments(const std::vector<ExprPtr>& nodes, Frame& f) : size_(nodes.size()) {
    if (size_ > kFew) many_.resize(size_);
    Value* to = data();
    for (std::size_t i = 0; i < size_; ++i) to[i] = nodes[i]->eval(f);
  }
  std::span<const Value> view() const { return {size_ > kFew ? many_.data() : few_.data(), size_}; }

 private:
  static constexpr std::size_t kFew = 6;
  Value* data() { return size_ > kFew ? many_.data() : few_.data(); }
  std::size_t size_;
  std::array<Value, kFew> few_;
  std::vector<Value> many_;
};

struct BuiltinCall final : ExprNode {
  BuiltinCall(const LibraryFunction& b, Dropping d, const Type& t, std::vector<ExprPtr> a)
      : ExprNode(t, draws(b.name()) || (any_may_ref(a) && !t.is_discrete())), builtin(b), dropped(std::move(d)),
        sums(b.name() == "sum"),
        args(std::move(a)) {}

  Value eval(Frame& f) const override {
    f.m.poll();
    const Arguments values(args, f);
    CallContext context = f.context(dropped(f));
    if (!f.recording) return builtin.apply(context, values.view());
    // A log Jacobian without derivatives is a constant term.
    double constant = 0;
    context.target = &constant;
    Value result = builtin.apply(context, values.view());
    if (constant != 0) f.m.recorder->target_constant(constant);
    return result;
  }
  void to_target(Frame& f) const override {
    if (sums) return args[0]->to_target(f);
    const Arguments values(args, f);
    CallContext context = f.context(dropped(f));
    builtin.apply_to_target(context, values.view());
  }
  const LibraryFunction& builtin;
  Dropping dropped;
  bool sums;  // `sum` of a container: its elements are the terms
  std::vector<ExprPtr> args;
};

// ---------------------------------------------------------------- user functions

/// The frame of one call. Gives its slots back and restores the place in the caller.
class CallFrame {
 public:
  CallFrame(const FunctionCode& function, Frame& caller)
      : function_(function), caller_(caller), site_(caller.m.site), frame_{.m = caller.m} {
    caller.m.enter(function.name);
    frame_.slots = caller.m.stack.take(function.slots);
  }
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;
  ~CallFrame() {
    caller_.m.stack.give_back(frame_.slots, function_.slots);
    --caller_.m.depth;
  }

  Value& argument(std::size_t i) { return frame_.slots[i]; }
  Value run(CallActivity call, bool to_target) {
    const bool accumulates = function_.suffix == Suffix::Target || function_.suffix == Suffix::Jacobian;
    const mir::ArgumentSet carrying = caller_.recording ? carrying_derivatives() : 0;
    const bool records_draws = caller_.m.random && draws(function_.name);
    frame_.recording = caller_.recording && (accumulates || records_draws || carrying != 0);
    frame_.propto = (call.propto || function_.suffix == Suffix::Target) && caller_.propto;
    frame_.active = call.active | carrying;
    frame_.result_to_target = to_target && frame_.recording;
    Value result = function_.run(frame_);
    caller_.at(site_);
    return result;
  }
  /// Whether `run` put the result into target already.
  bool result_in_target() const { return frame_.result_to_target; }

 private:
  mir::ArgumentSet carrying_derivatives() const {
    mir::ArgumentSet out = 0;
    for (std::size_t i = 0; i < function_.formals.size(); ++i)
      if (frame_.slots[i].is_autodiff()) out |= mir::argument_bit(i) | mir::kAnyArgument;
    return out;
  }
  const FunctionCode& function_;
  Frame& caller_;
  Site site_;
  Frame frame_;
};

struct UserCall final : ExprNode {
  UserCall(const FunctionCode& fn, Dropping d, const Type& t, std::vector<ExprPtr> a)
      : ExprNode(t, (any_may_ref(a) || fn.suffix == Suffix::Target || draws(fn.name)) && !t.is_discrete()), function(fn),
        dropping(std::move(d)), args(std::move(a)) {}
  Value eval(Frame& f) const override {
    CallFrame call(function, f);
    for (std::size_t i = 0; i < args.size(); ++i) call.argument(i) = args[i]->eval(f);
    return call.run(dropping.activity(f), false);
  }
  void to_target(Frame& f) const override {
    CallFrame call(function, f);
    for (std::size_t i = 0; i < args.size(); ++i) call.argument(i) = args[i]->eval(f);
    const Value result = call.run(dropping.activity(f), true);
    if (!call.result_in_target()) add_to_target(*f.m.recorder, result);
  }
  const FunctionCode& function;
  Dropping dropping;
  std::vector<ExprPtr> args;
};

struct TargetValue final : ExprNode {
  TargetValue() : ExprNode(BaseType::Real, true) {}
  Value eval(Frame& f) const override {
    return f.recording ? Value::reference(f.m.recorder->target_ref()) : Value(f.m.lp);
  }
};

}  // namespace

Code::Code() = default;
Code::~Code() = default;

Value FunctionCode::run(Frame& frame) const {
  FERMIAC_CHECK(body, "only functions with a body are called");
  body->run(frame);
  return std::move(frame.result);
}

Value call_function(const FunctionCode& function, Frame& caller, std::vector<Value> arguments, CallActivity activity) {
  CallFrame call(function, caller);
  for (std::size_t i = 0; i < arguments.size(); ++i) call.argument(i) = std::move(arguments[i]);
  return call.run(activity, false);
}

Value call_function(const FunctionCode& function, Frame& caller, std::span<const Value> arguments, CallActivity activity) {
  CallFrame call(function, caller);
  for (std::size_t i = 0; i < arguments.size(); ++i) call.argument(i) = arguments[i];
  return call.run(activity, false);
}

void add_call_to_target(const FunctionCode& function, Frame& caller, std::vector<Value> arguments, CallActivity activity) {
  CallFrame call(function, caller);
  for (std::size_t i = 0; i < arguments.size(); ++i) call.argument(i) = std::move(arguments[i]);
  const Value result = call.run(activity, true);
  if (!call.result_in_target()) add_to_target(*caller.m.recorder, result);
}

ExprPtr make_builtin_call(const LibraryFunction& builtin, Dropping dropping, const Type& result, std::vector<ExprPtr> args) {
  return std::make_unique<BuiltinCall>(builtin, std::move(dropping), result, std::move(args));
}
ExprPtr make_user_call(const FunctionCode& function, Dropping dropping, const Type& result, std::vector<ExprPtr> args) {
  return std::make_unique<UserCall>(function, std::move(dropping), result, std::move(args));
}
ExprPtr make_target_value() {
  return std::make_unique<TargetValue>();
}

}  // namespace fermiac::interp
