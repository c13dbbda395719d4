#include "interp/functions/functions.h"

#include <algorithm>
#include <map>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/multivariate/rng.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"

namespace fermiac::interp {
namespace {

class MapBuiltin final : public Builtin {
 public:
  explicit MapBuiltin(ad::MapCode code)
      : code_(code), complex_(ad::find_kernel("complex_" + std::string(ad::map_op(code).name))) {}
  std::string_view name() const override { return ad::map_op(code_).name; }
  Value apply(CallContext& context, Args args) const override {
    if (complex_ && std::ranges::any_of(args, is_complex)) return apply_kernel(context, *complex_, name(), args);
    return apply_map(context, code_, args);
  }
  void apply_to_target(CallContext& context, Args args) const override { sink_map(context, code_, args); }

 private:
  ad::MapCode code_;
  const ad::Kernel* complex_;  // the same function of complex numbers, if there is one
};

class KernelBuiltin final : public Builtin {
 public:
  explicit KernelBuiltin(const ad::Kernel& kernel)
      : kernel_(kernel), complex_(ad::find_kernel("complex_" + std::string(kernel.name))) {}
  std::string_view name() const override { return kernel_.name; }
  Value apply(CallContext& context, Args args) const override {
    if (complex_ && std::ranges::any_of(args, is_complex)) return apply_kernel(context, *complex_, name(), args);
    return apply_kernel(context, kernel_, kernel_.name, args);
  }
  void apply_to_target(CallContext& context, Args args) const override {
    sink_kernel(context, kernel_, kernel_.name, args);
  }

 private:
  const ad::Kernel& kernel_;
  const ad::Kernel* complex_;  // the same function of complex numbers, if there is one
};

template <class Op>
class RngBuiltin final : public Builtin {
 public:
  explicit RngBuiltin(const Op& op) : op_(op) {}
  std::string_view name() const override { return op_.name; }
  Value apply(CallContext& context, Args args) const override { return apply_rng(context, op_, args); }

 private:
  const Op& op_;
};

class RowBuiltin final : public Builtin {
 public:
  explicit RowBuiltin(const FunctionRow& row) : row_(row) {}
  std::string_view name() const override { return row_.name; }
  Value apply(CallContext& context, Args args) const override { return row_.apply(context, row_.name, args); }

 private:
  const FunctionRow& row_;
};

/// Hand-written functions come first: they know which map or kernel of their name to use when.
struct Registry {
  std::map<std::string_view, std::unique_ptr<const Builtin>> by_name;

  Registry() {
    for (const auto& table : {arithmetic_functions(), comparison_functions(), shape_functions(), fill_functions(),
                              slice_functions(), order_functions(), reduction_functions(), complex_functions(),
                              tuple_functions(), transform_functions()})
      for (const FunctionRow& row : table) by_name.try_emplace(row.name, std::make_unique<RowBuiltin>(row));
    for (std::size_t code = 0; code < ad::all_maps().size(); ++code)
      by_name.try_emplace(ad::all_maps()[code].name, std::make_unique<MapBuiltin>(static_cast<ad::MapCode>(code)));
    for (const ad::Kernel* kernel : ad::all_kernels())
      by_name.try_emplace(kernel->name, std::make_unique<KernelBuiltin>(*kernel));
    for (const ad::RngOp& op : ad::all_rngs()) by_name.try_emplace(op.name, std::make_unique<RngBuiltin<ad::RngOp>>(op));
    for (const ad::MultiRng& op : ad::all_multi_rngs())
      by_name.try_emplace(op.name, std::make_unique<RngBuiltin<ad::MultiRng>>(op));
  }
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

}  // namespace

const Builtin* Builtin::find(std::string_view name) {
  const auto it = registry().by_name.find(name);
  return it == registry().by_name.end() ? nullptr : it->second.get();
}

std::vector<std::string_view> Builtin::names() {
  std::vector<std::string_view> all;
  for (const auto& [name, builtin] : registry().by_name) all.push_back(name);
  return all;
}

void Builtin::apply_to_target(CallContext& context, Args args) const {
  add_to_target(*context.recorder, apply(context, args));
}

void add_to_target(ad::Recorder& recorder, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Int: return recorder.target_constant(static_cast<double>(value.as_int()));
    case Value::Kind::Real: return recorder.target_constant(value.as_real());
    case Value::Kind::Ref: return recorder.target(value.as_ref());
    case Value::Kind::Ints:
      for (const std::int32_t x : value.int_data()) recorder.target_constant(static_cast<double>(x));
      return;
    case Value::Kind::Reals:
      for (std::size_t k = 0; k < value.real_data().size(); ++k) recorder.target_constant(value.real_data()[k]);
      return;
    default: break;
  }
  const std::vector<Ref>& refs = value.ref_data();  // one op per run of consecutive references
  for (std::size_t first = 0; first < refs.size();) {
    std::size_t last = first + 1;
    while (last < refs.size() && refs[last] == refs[last - 1] + 1) ++last;
    recorder.target(refs[first], static_cast<std::uint32_t>(last - first));
    first = last;
  }
}

double recorded_value(const CallContext& context, Ref ref) {
  return context.recorder->value(ref);
}

}  // namespace fermiac::interp
