// Functions whose result is a tuple: one kernel per slot.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "interp/functions/builtin_tools.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;

/// The kernel of a slot, for real and for complex operands.
struct Slot {
  const ad::Kernel* real;
  const ad::Kernel* complex;  // null: the same
  explicit Slot(const char* name) : real(ad::find_kernel(name)), complex(ad::find_kernel("complex_" + std::string(name))) {}
  const ad::Kernel& kernel(Args a) const { return complex && std::ranges::any_of(a, is_complex) ? *complex : *real; }
};

constexpr const char* kQr[] = {"qr_Q", "qr_R"};
constexpr const char* kThinQr[] = {"qr_thin_Q", "qr_thin_R"};
constexpr const char* kEigen[] = {"eigenvectors", "eigenvalues"};
constexpr const char* kSymmetricEigen[] = {"eigenvectors_sym", "eigenvalues_sym"};
constexpr const char* kSchur[] = {"complex_schur_decompose_u", "complex_schur_decompose_t"};
constexpr const char* kSvd[] = {"svd_U", "singular_values", "svd_V"};

template <const auto& Names>
Value slots(CallContext& c, Name name, Args a) {
  static const std::vector<Slot> kSlots(std::begin(Names), std::end(Names));
  std::vector<Value> out;
  for (const Slot& slot : kSlots) out.push_back(apply_kernel(c, slot.kernel(a), name, a));
  return Value::tuple(std::move(out));
}

/// Starting point (zeros for a size), tolerance, steps, solver, line-search steps, whether other solvers are tried.
Value laplace_options(CallContext&, Name name, Args a) {
  if (a.size() != 1) wrong_arguments(name, a);
  const Value start = a[0].is_int() ? Value::reals(Shape::vector(size_argument(name, "size", a, 0)), 0.0) : a[0];
  return Value::tuple({start, std::sqrt(std::numeric_limits<double>::epsilon()), 500, 1, 1000, 1});
}

constexpr FunctionRow kRows[] = {
    {"generate_laplace_options", laplace_options},
    {"qr", slots<kQr>},
    {"qr_thin", slots<kThinQr>},
    {"eigendecompose", slots<kEigen>},
    {"eigendecompose_sym", slots<kSymmetricEigen>},
    {"complex_schur_decompose", slots<kSchur>},
    {"svd", slots<kSvd>},
};

}  // namespace

std::span<const FunctionRow> tuple_functions() { return kRows; }

}  // namespace fermiac::interp
