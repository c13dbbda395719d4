#include "autodiff/linalg/real_eigen.h"

#include <complex>

#include "autodiff/linalg/eigen.h"

namespace fermiac::ad {

bool real_eigenpairs(const double* a, dense::Index n, double* vectors, double* values) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Eigen::MatrixXd>(a, n, n));
  if (solver.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::MatrixXcd>(reinterpret_cast<std::complex<double>*>(vectors), n, n) = solver.eigenvectors();
  Eigen::Map<Eigen::VectorXcd>(reinterpret_cast<std::complex<double>*>(values), n) = solver.eigenvalues();
  return true;
}

}  // namespace fermiac::ad
