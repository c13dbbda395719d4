// The QR decomposition by Householder reflections, R's diagonal nonnegative.
#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/linalg/eigen_views.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using namespace eigen;

struct Qr {
  Matrix q, r;
  explicit Qr(const ConstMap& a) : q(Matrix::Identity(a.rows(), a.rows())), r(a) {
    const Eigen::HouseholderQR<Matrix> solver(a);
    q = solver.householderQ();
    r = solver.matrixQR().triangularView<Eigen::Upper>();
    for (Index i = 0; i < std::min(a.rows(), a.cols()); ++i)
      if (r(i, i) < 0) {
        r.row(i) *= -1;
        q.col(i) *= -1;
      }
  }
};
enum class QrPart { FullQ, FullR, ThinQ, ThinR };

template <QrPart P>
Plan qr_plan(const KernelCall& c) {
  const Index m = rows(c), n = cols(c), k = smaller(c);
  if (P == QrPart::FullQ) return {matrix_shape(m, m), 0};
  if (P == QrPart::FullR) return {matrix_shape(m, n), 0};
  return {P == QrPart::ThinQ ? matrix_shape(m, k) : matrix_shape(k, n), 0};
}
template <QrPart P>
void qr(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  const Qr d(input(c));
  const Index m = rows(c), n = cols(c), k = smaller(c);
  if (P == QrPart::FullQ) Map(c.out, m, m) = d.q;
  if (P == QrPart::FullR) Map(c.out, m, n) = d.r;
  if (P == QrPart::ThinQ) Map(c.out, m, k) = d.q.leftCols(k);
  if (P == QrPart::ThinR) Map(c.out, k, n) = d.r.topRows(k);
}

/// Lower triangle mirrored to a symmetric matrix.
Matrix mirrored_lower(const Matrix& m) {
  Matrix r = m.triangularView<Eigen::Lower>();
  r += Matrix(m.triangularView<Eigen::StrictlyLower>()).transpose();
  return r;
}
/// A = Q R with Q m x k, R k x k: Ā = (Q̄ + Q mirror(R R̄' - Q̄' Q)) R'⁻¹.
Matrix thin_adjoint(const Matrix& q, const Matrix& r, const Matrix& q_a, const Matrix& r_a) {
  Matrix m = r * r_a.transpose();
  stop_point();  // products are too long to be waited for together
  m -= q_a.transpose() * q;
  stop_point();
  const Matrix b = q_a + q * mirrored_lower(m);
  stop_point();
  return r.triangularView<Eigen::Upper>().solve(b.transpose()).transpose();
}
/// The unit vector of the reflection I - 2 u u' that maps x to a multiple of the first axis; empty when x lies on it.
Vector reflector(const Vector& x) {
  if (x.size() < 2 || x.tail(x.size() - 1).squaredNorm() <= 1e-300) return {};
  Vector w = x;
  w[0] += std::copysign(x.norm(), x[0]);
  return w.normalized();
}
void reflect(const Vector& u, Index first, Matrix& a) {
  if (u.size() == 0) return;
  auto rows_of_a = a.bottomRows(a.rows() - first);
  const Vector ua = rows_of_a.transpose() * u;
  rows_of_a -= 2 * u * ua.transpose();
}

/// The adjoint of a full Q = H_0 H_1 … with more rows than columns goes back through the reflections: how the columns past
/// the rank turn among themselves depends on them.
Matrix full_q_adjoint(const ConstMap& a, const Matrix& q_a) {
  const Index m = a.rows(), n = a.cols();
  std::vector<Matrix> states{a};  // A, H_0 A, H_1 H_0 A, …
  std::vector<Vector> u;
  for (Index k = 0; k < n; ++k) {
    u.push_back(reflector(states.back().col(k).tail(m - k)));
    states.push_back(states.back());
    reflect(u.back(), k, states.back());
  }
  Matrix suffix = q_a;  // H_{k-1} … H_0 Q̄ at step k, columns whose sign was turned turned back
  for (Index i = 0; i < n; ++i)
    if (states.back()(i, i) < 0) suffix.col(i) *= -1;
  std::vector<Matrix> prefixed{suffix};
  for (Index k = 0; k + 1 < n; ++k) {
    prefixed.push_back(prefixed.back());
    reflect(u[static_cast<std::size_t>(k)], k, prefixed.back());
  }
  Matrix back = Matrix::Zero(m, n), tail = Matrix::Identity(m, m);  // tail: the transpose of H_{k+1} H_{k+2} …
  for (Index k = n - 1; k >= 0; --k) {
    const auto at = static_cast<std::size_t>(k);
    const Matrix h_a = prefixed[at] * tail + back * states[at].transpose();
    reflect(u[at], k, back);
    if (u[at].size() == 0) continue;
    const Matrix corner = h_a.bottomRightCorner(m - k, m - k);
    const Vector u_a = -2 * (corner * u[at] + corner.transpose() * u[at]);
    const Vector x = states[at].col(k).tail(m - k);
    const double norm = x.norm(), sign = std::copysign(1.0, x[0]);
    Vector w = x;
    w[0] += sign * norm;
    Vector x_a = (u_a - u[at] * u[at].dot(u_a)) / w.norm();
    x_a += sign * x_a[0] / norm * x;
    back.col(k).tail(m - k) += x_a;
    Matrix turned = tail.transpose();
    reflect(u[at], k, turned);
    tail = turned.transpose();
  }
  return back;
}

template <QrPart P>
void qr_reverse(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  const Qr d(input(c));
  const Index m = rows(c), n = cols(c), k = smaller(c);
  if (P == QrPart::FullQ && m > k) {
    input_adjoint(c) += full_q_adjoint(input(c), out_adjoint(c, m, m));
    return;
  }
  Matrix q_a = Matrix::Zero(m, k), r_a = Matrix::Zero(k, n);
  if (P == QrPart::FullQ || P == QrPart::ThinQ) q_a = out_adjoint(c, m, k);
  if (P == QrPart::FullR) r_a = out_adjoint(c, m, n).topRows(k);
  if (P == QrPart::ThinR) r_a = out_adjoint(c, k, n);
  const Matrix q = d.q.leftCols(k), r = d.r.topRows(k);
  Map a = input_adjoint(c);
  if (n > k) {  // wide: A = Q [U W], W = Q' A2
    const Matrix w_a = r_a.rightCols(n - k);
    a.rightCols(n - k) += q * w_a;
    q_a += input(c).rightCols(n - k) * w_a.transpose();
  }
  const Matrix upper = r_a.leftCols(k).triangularView<Eigen::Upper>();
  a.leftCols(k) += thin_adjoint(q, r.leftCols(k), q_a, upper);
}

}  // namespace

FERMIAC_EXPORT_KERNELS(qr_kernels, {"qr_Q", qr_plan<QrPart::FullQ>, qr<QrPart::FullQ>, qr_reverse<QrPart::FullQ>},
                       {"qr_R", qr_plan<QrPart::FullR>, qr<QrPart::FullR>, qr_reverse<QrPart::FullR>},
                       {"qr_thin_Q", qr_plan<QrPart::ThinQ>, qr<QrPart::ThinQ>, qr_reverse<QrPart::ThinQ>},
                       {"qr_thin_R", qr_plan<QrPart::ThinR>, qr<QrPart::ThinR>, qr_reverse<QrPart::ThinR>})

}  // namespace fermiac::ad
