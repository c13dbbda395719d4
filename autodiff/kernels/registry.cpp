// The table of all kernels, put together from the families' tables.
#include <fmt/format.h>

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "support/base/check.h"
#include "support/base/errors.h"
#include "support/base/memory.h"

// X(name) per family exporting `extern const Kernel name[]` and `extern const std::size_t name##_size`.
#define FERMIAC_KERNEL_FAMILIES(X) \
  X(product_kernels)               \
  X(complex_kernels)               \
  X(factor_kernels)                \
  X(reduction_kernels)             \
  X(recurrence_kernels)            \
  X(gp_kernels)                    \
  X(multi_normal_kernels)          \
  X(category_kernels)              \
  X(ordered_kernels)               \
  X(matrix_density_kernels)        \
  X(glm_kernels)                   \
  X(transform_kernels)             \
  X(eigen_sym_kernels)             \
  X(complex_eigen_kernels)         \
  X(complex_svd_kernels)           \
  X(svd_kernels)                   \
  X(qr_kernels)                    \
  X(matrix_exp_kernels)            \
  X(sparse_kernels)                \
  X(hmm_kernels)                   \
  X(fft_kernels)                   \
  X(wiener_kernels)                \
  X(hypergeometric_kernels)        \
  X(dynamic_linear_kernels)

namespace fermiac::ad {

#define FERMIAC_DECLARE(family)     \
  extern const Kernel family[];     \
  extern const std::size_t family##_size;
FERMIAC_KERNEL_FAMILIES(FERMIAC_DECLARE)
#undef FERMIAC_DECLARE

namespace {

struct Registry {
  std::vector<const Kernel*> kernels;
  std::unordered_map<std::string_view, const Kernel*> by_name;

  Registry() {
#define FERMIAC_ADD(family) add({family, family##_size});
    FERMIAC_KERNEL_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
  }
  void add(std::span<const Kernel> family) {
    for (const Kernel& k : family) {
      FERMIAC_CHECK(by_name.try_emplace(k.name, &k).second, "two kernels share a name");
      kernels.push_back(&k);
    }
  }
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

}  // namespace

Plan checked_plan(const Kernel& kernel, const KernelCall& call) {
  const Plan plan = kernel.plan(call);
  const std::uint64_t results = plan.out.size();
  if (plan.scratch > kMaxNumbers) [[unlikely]] checked_count(plan.scratch, fmt::format("{}: the work space", call.name));
  memory_point((results + plan.scratch) * sizeof(double));
  return plan;
}

const Kernel* find_kernel(std::string_view name) {
  const auto it = registry().by_name.find(name);
  return it == registry().by_name.end() ? nullptr : it->second;
}

std::span<const Kernel* const> all_kernels() { return registry().kernels; }

}  // namespace fermiac::ad
