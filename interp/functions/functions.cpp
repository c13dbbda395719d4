#include "interp/functions/functions.h"

#include <algorithm>
#include <map>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/multivariate/rng.h"
#include "interp/functions/builtin_tools.h"

namespace fermiac::interp {
namespace {

class MapBuiltin final : public LibraryFunction {
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

class KernelBuiltin final : public LibraryFunction {
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
class RngBuiltin final : public LibraryFunction {
 public:
  explicit RngBuiltin(const Op& op) : op_(op) {}
  std::string_view name() const override { return op_.name; }
  Value apply(CallContext& context, Args args) const override { return apply_rng(context, op_, args); }

 private:
  const Op& op_;
};

class RowBuiltin final : public LibraryFunction {
 public:
  explicit RowBuiltin(const FunctionRow& row) : row_(row) {}
  std::string_view name() const override { return row_.name; }
  Value apply(CallContext& context, Args args) const override { return row_.apply(context, row_.name, args); }

 private:
  const FunctionRow& row_;
};

/// Hand-written functions come first: they know which map or kernel of their name to use when.
struct Registry {
  std::map<std::string_view, std::unique_ptr<const LibraryFunction>> by_name;

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

const LibraryFunction* LibraryFunction::find(Builtin fn) {
  return find(name_of(library_function(fn)));
}

const LibraryFunction* LibraryFunction::find(std::string_view name) {
  const auto it = registry().by_name.find(name);
  return it == registry().by_name.end() ? nullptr : it->second.get();
}

std::vector<std::string_view> LibraryFunction::names() {
  std::vector<std::string_view> all;
  for (const auto& [name, builtin] : registry().by_name) all.push_back(name);
  return all;
}

void LibraryFunction::apply_to_target(CallContext& context, Args args) const {
  add_to_target(*context.recorder, apply(context, args));
}

}  // namespace fermiac::interp
