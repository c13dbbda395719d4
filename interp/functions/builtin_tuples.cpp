// Functions whose result is a tuple: one function per slot.
#include <cmath>
#include <limits>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/renamed_errors.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;

struct TupleRow {
  Name name;
  Name slots[3];  // unused ones empty
};

constexpr TupleRow kTuples[] = {
    {"qr", {"qr_Q", "qr_R"}},
    {"qr_thin", {"qr_thin_Q", "qr_thin_R"}},
    {"eigendecompose", {"eigenvectors", "eigenvalues"}},
    {"eigendecompose_sym", {"eigenvectors_sym", "eigenvalues_sym"}},
    {"complex_schur_decompose", {"complex_schur_decompose_u", "complex_schur_decompose_t"}},
    {"svd", {"svd_U", "singular_values", "svd_V"}},
};

Value slots(CallContext& c, Name name, Args a) {
  std::vector<Value> out;
  for (const TupleRow& row : kTuples) {
    if (row.name != name) continue;
    for (const Name slot : row.slots)
      if (!slot.empty()) out.push_back(with_name(slot, name, [&] { return Builtin::find(slot)->apply(c, a); }));
  }
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
    {"qr", slots},
    {"qr_thin", slots},
    {"eigendecompose", slots},
    {"eigendecompose_sym", slots},
    {"complex_schur_decompose", slots},
    {"svd", slots},
};

}  // namespace

std::span<const FunctionRow> tuple_functions() { return kRows; }

}  // namespace fermiac::interp
