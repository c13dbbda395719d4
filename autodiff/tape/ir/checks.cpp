#include "autodiff/tape/ir/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "support/base/errors.h"

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
template <bool Lower, std::uint32_t Step, class X>
bool eight_hold(const X* x, const double* bound) {
  bool all = true;
  for (std::uint32_t i = 0; i < 8; ++i) all &= Lower ? x[i] >= bound[i * Step] : x[i] <= bound[i * Step];
  return all;
}

template <bool Lower, std::uint32_t Step, class X>
void check_all(std::string_view variable, const Shape& shape, const X* x, const double* bound) {
  const std::uint32_t n = shape.size();
  std::uint32_t i = 0;
  while (i + 8 <= n && eight_hold<Lower, Step>(x + i, bound + i * Step)) i += 8;
  for (; i < n; ++i) check_bound(Lower, variable, shape, i, x[i], bound[i * Step]);
}

template <bool Lower, class X>
void check_elements(std::string_view variable, const Shape& shape, const X* x, std::span<const double> bounds) {
  if (bounds.size() == 1) check_all<Lower, 0>(variable, shape, x, bounds.data());
  else check_all<Lower, 1>(variable, shape, x, bounds.data());
}

template <bool Lower>
struct BoundKernel {
  static void check(const KernelCall& call) {
    const KernelArg& x = call.in[0];
    const KernelArg& bound = call.in[1];
    check_elements<Lower>(call.name, x.shape, x.v, {bound.v, bound.shape.is_scalar() ? 1 : bound.shape.size()});
  }
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

template <class X>
void check_bounds(bool lower, std::string_view variable, const Shape& shape, const X* x, std::span<const double> bounds) {
  lower ? check_elements<true>(variable, shape, x, bounds) : check_elements<false>(variable, shape, x, bounds);
}
template void check_bounds(bool, std::string_view, const Shape&, const double*, std::span<const double>);
template void check_bounds(bool, std::string_view, const Shape&, const std::int32_t*, std::span<const double>);

constexpr Kernel kCheckLower = {"check_lower__", BoundKernel<true>::plan, BoundKernel<true>::forward, BoundKernel<true>::reverse,
                                BoundKernel<true>::fused};
constexpr Kernel kCheckUpper = {"check_upper__", BoundKernel<false>::plan, BoundKernel<false>::forward, BoundKernel<false>::reverse,
                                BoundKernel<false>::fused};

}  // namespace fermiac::ad
