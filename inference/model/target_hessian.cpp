// Hessians of a target.

#include <cmath>

#include "inference/model/second_derivatives.h"


namespace fermiac::inference {

bool hessian(Target& target, ConstSpan q, Vec* out) {
  out->resize(q.size() * q.size());
  if (exact_hessian(target.workspace(), target.options(), q, *out)) return true;
  Vec steps;
  for (const double x : q) steps.push_back(kDifferenceStep * std::fmax(1, std::fabs(x)));
  return difference_hessian(target, q, steps, out);
}

bool difference_hessian(Target& target, ConstSpan q, ConstSpan steps, Vec* out) {
  const std::size_t n = q.size();
  Vec point(q.begin(), q.end()), forward(n), backward(n), forward2(n), backward2(n);
  out->assign(n * n, 0);
  bool ok = true;
  const auto gradient_at = [&](std::size_t i, double h, Vec& g) {
    point[i] = q[i] + h;
    ok = std::isfinite(target.gradient(point, g)) && all_finite(g) && ok;
    point[i] = q[i];
  };
  for (std::size_t i = 0; i < n; ++i) {
    // Fourth-order central differences: error about h^4, so a large h keeps the rounding of the gradient harmless.
    const double h = steps[i];
    gradient_at(i, h, forward);
    gradient_at(i, -h, backward);
    gradient_at(i, 2 * h, forward2);
    gradient_at(i, -2 * h, backward2);
    for (std::size_t j = 0; j < n; ++j) {
      const double d = (8 * (forward[j] - backward[j]) - (forward2[j] - backward2[j])) / (12 * h);
      (*out)[i * n + j] += 0.5 * d;
      (*out)[j * n + i] += 0.5 * d;
    }
  }
  return ok;
}

}  // namespace fermiac::inference
