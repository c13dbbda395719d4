// The thin singular value decomposition of complex matrices, A = U S V*.
#include <algorithm>
#include <cmath>
#include <complex>

#include "autodiff/linalg/eigen_views.h"
#include "support/base/errors.h"

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
struct Svd {
  CMatrix u, v;
  Eigen::VectorXd s;
  explicit Svd(const KernelCall& c) {
    const Eigen::Map<const CMatrix> a(reinterpret_cast<const Complex*>(c.in[0].v), eigen::rows(c), eigen::cols(c));
    const Eigen::JacobiSVD<CMatrix> solver(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    u = eigen::converged(c, solver).matrixU();
    v = solver.matrixV();
    s = solver.singularValues();
  }
};

template <Part P>
void svd(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  for (Index i = 0; i < size_of(c.in[0]); ++i)
    if (!std::isfinite(c.in[0].v[i])) domain_error(c.name, "m", i + 1, c.in[0].v[i], "finite");
  const Svd d(c);
  if (P == Part::S) std::copy_n(d.s.data(), d.s.size(), c.out);
  const CMatrix& part = P == Part::U ? d.u : d.v;
  if (P != Part::S) std::copy_n(part.data(), part.size(), reinterpret_cast<Complex*>(c.out));
}

/// The M with Re tr(G* dU) = Re Σ M_ij dA_ij. With dP = U* dA V and F_ij = 1 / (s_j² - s_i²):
///   dU = U (F ∘ (dP S + S dP*) + diag) + (I - U U*) dA V S⁻¹
/// Phases are free: the imaginary part of dP_kk turns u_k and v_k by half of it each.
CMatrix u_adjoint(const CMatrix& u, const Eigen::VectorXd& s, const CMatrix& v, const CMatrix& g) {
  const Index k = s.size();
  const CMatrix h = u.adjoint() * g;
  CMatrix q(k, k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < k; ++i)
      q(i, j) = i == j ? Complex(0, -h(i, i).imag() / (2 * s[i]))
                       : (std::conj(h(i, j)) - h(j, i)) * s[j] / (s[j] * s[j] - s[i] * s[i]);
  const CMatrix rest = g - u * h, v_over_s = v * s.cwiseInverse().asDiagonal();
  return u.conjugate() * q * v.transpose() + rest.conjugate() * v_over_s.transpose();
}

template <Part P>
void svd_reverse(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  const Svd d(c);
  CMatrix m;
  if constexpr (P == Part::S) {
    m = d.u.conjugate() * Eigen::Map<const Eigen::VectorXd>(c.out_a, d.s.size()).asDiagonal() * d.v.transpose();
  } else {
    const CMatrix& part = P == Part::U ? d.u : d.v;
    const Eigen::Map<const CMatrix> g(reinterpret_cast<const Complex*>(c.out_a), part.rows(), part.cols());
    if constexpr (P == Part::U)
      m = u_adjoint(d.u, d.s, d.v, g);
    else
      m = u_adjoint(d.v, d.s, d.u, g).adjoint();
  }
  Eigen::Map<CMatrix>(reinterpret_cast<Complex*>(c.in[0].a), m.rows(), m.cols()) += m.conjugate();
}

}  // namespace

FERMIAC_EXPORT_KERNELS(complex_svd_kernels,
                       {"complex_singular_values", svd_plan<Part::S>, svd<Part::S>, svd_reverse<Part::S>},
                       {"complex_svd_U", svd_plan<Part::U>, svd<Part::U>, svd_reverse<Part::U>},
                       {"complex_svd_V", svd_plan<Part::V>, svd<Part::V>, svd_reverse<Part::V>})

}  // namespace fermiac::ad
