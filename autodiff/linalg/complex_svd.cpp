// The thin singular value decomposition of complex matrices: values only.
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "autodiff/errors.h"
#include "autodiff/linalg/eigen_views.h"

namespace fermiac::ad {
namespace {

using Complex = std::complex<double>;
using CMatrix = Eigen::MatrixXcd;

enum class Part { U, S, V };

template <Part P>
Plan svd_plan(const KernelCall& c) {
  const Index k = eigen::smaller(c);
  if (P == Part::S) return {Shape::vector(static_cast<std::uint32_t>(k)), 0};
  Shape s = eigen::matrix_shape(P == Part::U ? eigen::rows(c) : eigen::cols(c), k);
  s.complex = true;
  return {s, 0};
}
template <Part P>
void svd(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  for (Index i = 0; i < size_of(c.in[0]); ++i)
    if (!std::isfinite(c.in[0].v[i])) domain_error(c.name, "m", i + 1, c.in[0].v[i], "finite");
  const Eigen::Map<const CMatrix> a(reinterpret_cast<const Complex*>(c.in[0].v), eigen::rows(c), eigen::cols(c));
  const Eigen::JacobiSVD<CMatrix> solver(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  if (P == Part::S) std::copy_n(solver.singularValues().data(), eigen::smaller(c), c.out);
  const CMatrix& part = P == Part::U ? solver.matrixU() : solver.matrixV();
  if (P != Part::S) std::copy_n(part.data(), part.size(), reinterpret_cast<Complex*>(c.out));
}
[[noreturn]] void no_derivatives(const KernelCall& c) {
  throw FatalError(fmt::format("{}: derivatives of complex singular values are not implemented", c.name));
}

}  // namespace

FERMIAC_EXPORT_KERNELS(complex_svd_kernels, {"complex_singular_values", svd_plan<Part::S>, svd<Part::S>, no_derivatives},
                       {"complex_svd_U", svd_plan<Part::U>, svd<Part::U>, no_derivatives},
                       {"complex_svd_V", svd_plan<Part::V>, svd<Part::V>, no_derivatives})

}  // namespace fermiac::ad
