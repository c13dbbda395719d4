// reduce_sum and map_rect: calls of one function for parts of the data.
#include <fmt/format.h>

#include <algorithm>

#include "autodiff/tape/record/recorder.h"
#include "interp/exec/lowering/compiler.h"
#include "interp/exec/runs/solver_callback.h"
#include "interp/parallel/shard_source.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using Kind = mir::Index::Kind;

bool varies(const std::vector<Value>& values) {
  return std::ranges::any_of(values, &Value::is_autodiff);
}

std::vector<Value> evaluated(const std::vector<ExprPtr>& nodes, Frame& f) {
  std::vector<Value> out;
  for (const ExprPtr& node : nodes) out.push_back(node->eval(f));
  return out;
}

Value part(std::string_view name, const Value& array, Position at) {
  return read(array, select(name, array.shape(), {&at, 1}));
}
Value element(const Value& array, std::uint32_t i) {
  return part("map_rect", array,
              {.kind = Kind::Single, .low = static_cast<std::int32_t>(i) + 1, .high = 0, .list = {}});
}

std::vector<Value> renumbered(OuterReferences& outer, const std::vector<Value>& values) {
  std::vector<Value> out;
  for (const Value& v : values) out.push_back(outer.renumbered(v));
  return out;
}

std::shared_ptr<const ShardedFunction> shared_part(const FunctionCode& function, CallActivity activity,
                                                   const OuterReferences& outer, const Frame& f) {
  return std::make_shared<const ShardedFunction>(ShardedFunction{.function = function,
                                                                 .activity = activity,
                                                                 .caller_propto = f.propto,
                                                                 .stop = f.m.stop,
                                                                 .depth = f.m.depth,
                                                                 .fuses_links = !f.m.recorder->evaluates(),
                                                                 .constants = outer.constants()});
}

// ---------------------------------------------------------------- reduce_sum

/// How n terms are split: into runs of a multiple of the grain size, whatever the number of threads.
struct Split {
  static constexpr std::int64_t kMostParts = 64;
  Split(std::int64_t n, std::int64_t grain) {
    const std::int64_t grains = (n + grain - 1) / grain;
    size = (grains + kMostParts - 1) / kMostParts * grain;
    count = (n + size - 1) / size;
  }
  std::int64_t size, count;
};

struct ReduceSum final : ExprNode {
  ReduceSum(const FunctionCode& fn, Dropping d, std::vector<ExprPtr> a)
      : ExprNode(BaseType::Real, any_may_ref(a)), function(fn), dropping(std::move(d)), args(std::move(a)) {}

  Value eval(Frame& f) const override {
    Terms terms = evaluated_terms(f);
    if (terms.count == 0) return 0.0;
    if (const auto sum = in_parts(terms, f)) return *sum;
    return call_with_adjoints(function, f, std::move(terms.call), activity(f));
  }
  void to_target(Frame& f) const override {
    Terms terms = evaluated_terms(f);
    if (terms.count == 0) return;
    if (const auto sum = in_parts(terms, f)) return add_to_target(*f.m.recorder, *sum);
    if (function.adjoints.empty()) return add_call_to_target(function, f, std::move(terms.call), activity(f));
    add_to_target(*f.m.recorder, call_with_adjoints(function, f, std::move(terms.call), activity(f)));
  }

  struct Terms {
    std::vector<Value> call;  // arguments of the call for all of them
    std::int32_t count, grain;
  };
  Terms evaluated_terms(Frame& f) const {
    std::vector<Value> values = evaluated(args, f);
    const std::int32_t grain = values[1].as_int();
    if (grain < 1) throw ad::DomainError(fmt::format("reduce_sum: grainsize is {}, but must be positive!", grain));
    const auto n = static_cast<std::int32_t>(values[0].shape().length());
    values[1] = 1;
    values.insert(values.begin() + 2, n);
    return {std::move(values), n, grain};
  }
  std::optional<Value> in_parts(const Terms& terms, Frame& f) const {
    if (!f.recording || !varies(terms.call)) return std::nullopt;
    const std::int32_t n = terms.count;
    const Split split(n, terms.grain);
    if (split.count == 1) return std::nullopt;
    OuterReferences outer(*f.m.recorder);
    const std::vector<Value> all = renumbered(outer, terms.call);
    std::vector<std::vector<Value>> calls;
    for (std::int64_t first = 1; first <= n; first += split.size) {
      std::vector<Value>& one = calls.emplace_back(all);
      const auto low = static_cast<std::int32_t>(first);
      const auto high = static_cast<std::int32_t>(std::min<std::int64_t>(first + split.size - 1, n));
      one[0] = part("reduce_sum", all[0], {.kind = Kind::Between, .low = low, .high = high, .list = {}});
      one[1] = low;
      one[2] = high;
    }
    return record_in_shards("reduce_sum", ad::Shards::Join::Sum, shared_part(function, activity(f), outer, f),
                            std::move(calls), outer.varying(), f);
  }
  /// The array, the grain size and what is passed on are arguments of the function as the array, two ints and what is passed on.
  CallActivity activity(const Frame& f) const {
    const auto [propto, active] = dropping.activity(f);
    const mir::ArgumentSet first = active & mir::argument_bit(0), rest = active >> 2 << 3;
    return {propto, first | rest | (active & mir::kAnyArgument)};
  }

  const FunctionCode& function;
  Dropping dropping;
  std::vector<ExprPtr> args;  // the array, the grain size, then what is passed on
};

// ---------------------------------------------------------------- map_rect

struct MapRect final : ExprNode {
  MapRect(const FunctionCode& fn, std::vector<ExprPtr> a)
      : ExprNode(BaseType::Vector, any_may_ref(a)), function(fn), args(std::move(a)) {}

  Value eval(Frame& f) const override {
    const std::vector<Value> values = evaluated(args, f);
    const std::uint32_t jobs = values[1].shape().length();
    if (f.recording && varies(values) && jobs > 1) {
      OuterReferences outer(*f.m.recorder);
      std::vector<std::vector<Value>> calls = split(renumbered(outer, values), jobs);
      if (auto all = record_in_shards("map_rect", ad::Shards::Join::List, shared_part(function, {}, outer, f),
                                      std::move(calls), outer.varying(), f))
        return *all;
    }
    std::vector<Value> parts;
    for (std::vector<Value>& call : split(values, jobs))
      parts.push_back(call_with_adjoints(function, f, std::move(call)));
    return joined(parts, f);
  }
  /// The arguments of every job: shared parameters, own parameters, data, int data.
  static std::vector<std::vector<Value>> split(const std::vector<Value>& values, std::uint32_t jobs) {
    std::vector<std::vector<Value>> out;
    for (std::uint32_t i = 0; i < jobs; ++i)
      out.push_back({values[0], element(values[1], i), element(values[2], i), element(values[3], i)});
    return out;
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

ExprPtr make_reduce_sum(const FunctionCode& function, Dropping dropping, std::vector<ExprPtr> args) {
  return std::make_unique<ReduceSum>(function, std::move(dropping), std::move(args));
}
ExprPtr make_map_rect(const FunctionCode& function, std::vector<ExprPtr> args) {
  return std::make_unique<MapRect>(function, std::move(args));
}

}  // namespace fermiac::interp
