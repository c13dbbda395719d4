#include "autodiff/tape/trace/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "autodiff/errors.h"

namespace fermiac::ad {
namespace {

/// "x[2,3]": element i of the value, indexes from 1.
std::string element_name(std::string_view name, const Shape& shape, std::uint32_t i) {
  std::vector<std::uint32_t> index;
  std::uint32_t inner = shape.inner_size();
  std::uint32_t rest = i / inner;
  for (int k = shape.rank; k-- > 0;) {
    index.insert(index.begin(), rest % shape.array_dims[k] + 1);
    rest /= shape.array_dims[k];
  }
  const std::uint32_t within = i % inner;
  if (shape.inner == Inner::Matrix) {
    index.push_back(within % shape.rows + 1);
    index.push_back(within / shape.rows + 1);
  } else if (shape.inner != Inner::Scalar) {
    index.push_back(within + 1);
  }
  if (index.empty()) return std::string(name);
  return fmt::format("{}[{}]", name, fmt::join(index, ", "));
}

/// Whether eight neighbours hold, without a branch for each; Step is 1 where each has its own bound, else 0.
template <bool Lower, std::uint32_t Step>
bool eight_hold(const double* x, const double* bound) {
  bool all = true;
  for (std::uint32_t i = 0; i < 8; ++i) all &= Lower ? x[i] >= bound[i * Step] : x[i] <= bound[i * Step];
  return all;
}

template <bool Lower>
struct BoundKernel {
  template <std::uint32_t Step>
  static void check_all(const KernelCall& call) {
    const KernelArg& x = call.in[0];
    const double* bound = call.in[1].v;
    const std::uint32_t n = x.shape.size();
    std::uint32_t i = 0;
    while (i + 8 <= n && eight_hold<Lower, Step>(x.v + i, bound + i * Step)) i += 8;
    for (; i < n; ++i) check_bound(Lower, call.name, x.shape, i, x.v[i], bound[i * Step]);
  }
  static void check(const KernelCall& call) { call.in[1].shape.is_scalar() ? check_all<0>(call) : check_all<1>(call); }
  static Plan plan(const KernelCall&) { return {}; }
  static void forward(const KernelCall& call) {
    check(call);
    *call.out = 0;
  }
  static void reverse(const KernelCall&) {}
  static double fused(const KernelCall& call) {
    check(call);
    return 0;
  }
};

}  // namespace

void fail_bound(bool lower, std::string_view variable, const Shape& shape, std::uint32_t i, double x, double bound) {
  throw DomainError(fmt::format("{} is {}, but must be {} than or equal to {}", element_name(variable, shape, i), x,
                                lower ? "greater" : "less", bound));
}

constexpr Kernel kCheckLower = {"check_lower__", BoundKernel<true>::plan, BoundKernel<true>::forward, BoundKernel<true>::reverse,
                                BoundKernel<true>::fused};
constexpr Kernel kCheckUpper = {"check_upper__", BoundKernel<false>::plan, BoundKernel<false>::forward, BoundKernel<false>::reverse,
                                BoundKernel<false>::fused};

}  // namespace fermiac::ad
