// The matrix I - gamma J of Newton's method for multistep steps, dense.
#pragma once

#include <cstddef>
#include <vector>

#include "autodiff/solvers/nordsieck.h"

namespace fermiac::ad {

class NewtonMatrix {
 public:
  explicit NewtonMatrix(std::size_t rows) : rows_(rows), lu_(rows * rows), swaps_(rows) {}
  /// Factors it, with row exchanges, in n³/3 steps; J row by row. False where it is singular.
  bool form(double gamma, const double* jacobian);
  /// In place, for one right side, or for lanes of them.
  void solve(double* x) const;
  void solve(const NordsieckLoops& loops, std::size_t lanes, double* x) const {
    loops.solve(rows_, lanes, lu_.data(), swaps_.data(), x);
  }

 private:
  double* row(std::size_t i) { return lu_.data() + i * rows_; }
  const double* row(std::size_t i) const { return lu_.data() + i * rows_; }
  bool eliminate(std::size_t k);

  std::size_t rows_;
  std::vector<double> lu_;  // diagonal: reciprocals of the pivots
  std::vector<std::size_t> swaps_;
};

}  // namespace fermiac::ad
