// Calls: built-in functions, user functions, target(), and the functions that call user functions element by element.
#include <fmt/format.h>

#include <array>

#include "autodiff/errors.h"
#include "autodiff/tape/recorder.h"
#include "interp/eval/compiler.h"
#include "interp/eval/numbers.h"
#include "interp/eval/selection.h"
#include "support/check.h"

namespace fermiac::interp {
namespace {

bool any_may_ref(const std::vector<ExprPtr>& nodes) {
  for (const ExprPtr& node : nodes)
    if (node->may_ref) return true;
  return false;
}

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
  BuiltinCall(const Builtin& b, bool p, const Type& t, std::vector<ExprPtr> a)
      : ExprNode(t, any_may_ref(a) && !t.is_discrete()), builtin(b), propto(p), sums(b.name() == "sum"),
        args(std::move(a)) {}

  Value eval(Frame& f) const override {
    f.m.poll();
    const Arguments values(args, f);
    CallContext context = f.context(propto);
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
    CallContext context = f.context(propto);
    builtin.apply_to_target(context, values.view());
  }
  const Builtin& builtin;
  bool propto;
  bool sums;  // `sum` of a container: its elements are the terms
  std::vector<ExprPtr> args;
};

// ---------------------------------------------------------------- user functions

constexpr int kMaxDepth = 1000;

/// The frame of one call. Gives its slots back and restores the place in the caller.
class CallFrame {
 public:
  CallFrame(const FunctionCode& function, Frame& caller)
      : function_(function), caller_(caller), site_(caller.m.site), frame_{.m = caller.m} {
    caller.m.poll();
    if (++caller.m.depth > kMaxDepth) {
      --caller.m.depth;
      throw ad::FatalError(fmt::format("{}: calls nest deeper than {}", function.name, kMaxDepth));
    }
    frame_.slots = caller.m.stack.take(function.slots);
  }
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;
  ~CallFrame() {
    caller_.m.stack.give_back(frame_.slots, function_.slots);
    --caller_.m.depth;
  }

  Value& argument(std::size_t i) { return frame_.slots[i]; }
  Value run(bool propto, bool to_target) {
    const bool accumulates = function_.suffix == Suffix::Target || function_.suffix == Suffix::Jacobian;
    frame_.recording = caller_.recording && (accumulates || any_autodiff());
    frame_.propto = (propto || function_.suffix == Suffix::Target) && caller_.propto;
    frame_.result_to_target = to_target && frame_.recording;
    Value result = function_.run(frame_);
    caller_.at(site_);
    return result;
  }
  /// Whether `run` put the result into target already.
  bool result_in_target() const { return frame_.result_to_target; }

 private:
  bool any_autodiff() const {
    for (std::size_t i = 0; i < function_.formals.size(); ++i)
      if (frame_.slots[i].is_autodiff()) return true;
    return false;
  }
  const FunctionCode& function_;
  Frame& caller_;
  Site site_;
  Frame frame_;
};

struct UserCall final : ExprNode {
  UserCall(const FunctionCode& fn, bool p, const Type& t, std::vector<ExprPtr> a)
      : ExprNode(t, (any_may_ref(a) || fn.suffix == Suffix::Target) && !t.is_discrete()), function(fn), propto(p),
        args(std::move(a)) {}
  Value eval(Frame& f) const override {
    CallFrame call(function, f);
    for (std::size_t i = 0; i < args.size(); ++i) call.argument(i) = args[i]->eval(f);
    return call.run(propto, false);
  }
  void to_target(Frame& f) const override {
    CallFrame call(function, f);
    for (std::size_t i = 0; i < args.size(); ++i) call.argument(i) = args[i]->eval(f);
    const Value result = call.run(propto, true);
    if (!call.result_in_target()) add_to_target(*f.m.recorder, result);
  }
  const FunctionCode& function;
  bool propto;
  std::vector<ExprPtr> args;
};

struct TargetValue final : ExprNode {
  TargetValue() : ExprNode(BaseType::Real, true) {}
  Value eval(Frame& f) const override {
    return f.recording ? Value::reference(f.m.recorder->target_ref()) : Value(f.m.lp);
  }
};

// ---------------------------------------------------------------- reduce_sum, map_rect

/// The partial sum over everything: how the work is split changes only the order of the terms.
struct ReduceSum final : ExprNode {
  ReduceSum(const FunctionCode& fn, bool p, std::vector<ExprPtr> a)
      : ExprNode(BaseType::Real, any_may_ref(a)), function(fn), propto(p), args(std::move(a)) {}
  Value eval(Frame& f) const override { return sum(f, false); }
  void to_target(Frame& f) const override { sum(f, true); }
  Value sum(Frame& f, bool to_target) const {
    Value terms = args[0]->eval(f);
    const std::int32_t grain = args[1]->eval_int(f);
    if (grain < 1) throw ad::DomainError(fmt::format("reduce_sum: grainsize is {}, but must be positive!", grain));
    const auto n = static_cast<std::int32_t>(terms.shape().length());
    if (n == 0) return 0.0;
    CallFrame call(function, f);
    call.argument(0) = std::move(terms);
    call.argument(1) = 1;
    call.argument(2) = n;
    for (std::size_t i = 2; i < args.size(); ++i) call.argument(i + 1) = args[i]->eval(f);
    Value result = call.run(propto, to_target);
    if (to_target && !call.result_in_target()) add_to_target(*f.m.recorder, result);
    return result;
  }
  const FunctionCode& function;
  bool propto;
  std::vector<ExprPtr> args;  // the array, the grain size, then what is passed on
};

Value element(const Value& array, std::uint32_t i) {
  const Position at[] = {{.kind = mir::Index::Kind::Single, .low = static_cast<std::int32_t>(i) + 1, .high = 0, .list = {}}};
  return read(array, select("map_rect", array.shape(), at));
}

struct MapRect final : ExprNode {
  MapRect(const FunctionCode& fn, std::vector<ExprPtr> a)
      : ExprNode(BaseType::Vector, any_may_ref(a)), function(fn), args(std::move(a)) {}
  Value eval(Frame& f) const override {
    const Arguments values(args, f);
    const Value& jobs = values.view()[1];
    std::vector<Value> parts;
    for (std::uint32_t i = 0; i < jobs.shape().length(); ++i) {
      CallFrame call(function, f);
      call.argument(0) = values.view()[0];
      for (std::size_t k = 1; k < 4; ++k) call.argument(k) = element(values.view()[k], i);
      parts.push_back(call.run(false, false));
    }
    return joined(parts, f);
  }
  static Value joined(const std::vector<Value>& parts, Frame& f) {
    std::uint32_t n = 0;
    bool refs = false;
    for (const Value& part : parts) {
      n += part.shape().size();
      refs |= part.is_autodiff();
    }
    Value all = Value::reals(Shape::vector(n), 0.0);
    std::uint32_t offset = 0;
    for (const Value& part : parts) {
      const Selection at{.shape = part.shape(), .contiguous = true, .offset = offset, .offsets = {}};
      write("map_rect", all, at, part, refs ? f.m.recorder : nullptr);
      offset += part.shape().size();
    }
    return all;
  }
  const FunctionCode& function;
  std::vector<ExprPtr> args;
};

}  // namespace

Value FunctionCode::run(Frame& frame) const {
  FERMIAC_CHECK(body, "only functions with a body are called");
  body->run(frame);
  return std::move(frame.result);
}

Value call_function(const FunctionCode& function, Frame& caller, std::vector<Value> arguments, bool propto) {
  CallFrame call(function, caller);
  for (std::size_t i = 0; i < arguments.size(); ++i) call.argument(i) = std::move(arguments[i]);
  return call.run(propto, false);
}

ExprPtr make_builtin_call(const Builtin& builtin, bool propto, const Type& result, std::vector<ExprPtr> args) {
  return std::make_unique<BuiltinCall>(builtin, propto, result, std::move(args));
}
ExprPtr make_user_call(const FunctionCode& function, bool propto, const Type& result, std::vector<ExprPtr> args) {
  return std::make_unique<UserCall>(function, propto, result, std::move(args));
}
ExprPtr make_target_value() {
  return std::make_unique<TargetValue>();
}
ExprPtr make_reduce_sum(const FunctionCode& function, bool propto, std::vector<ExprPtr> args) {
  return std::make_unique<ReduceSum>(function, propto, std::move(args));
}
ExprPtr make_map_rect(const FunctionCode& function, std::vector<ExprPtr> args) {
  return std::make_unique<MapRect>(function, std::move(args));
}

}  // namespace fermiac::interp
