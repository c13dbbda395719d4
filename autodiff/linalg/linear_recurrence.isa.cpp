// The loops of linear_recurrence.h.
#include <cmath>

#include "autodiff/kernels/simd.h"
#include "autodiff/linalg/linear_recurrence.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// The powers of a that four steps at once take, or none of use.
struct Powers {
  explicit Powers(double x) : a(x), a2(a * a), a3(a2 * a), a4(a2 * a2), useful(std::fabs(a) <= 2 && std::fabs(a) > 1e-60) {}
  double a, a2, a3, a4;
  bool useful;
};

struct Four {
  double x1, x2, x3, x4;
};
/// Four steps from x.
FERMIAC_INLINE Four four_steps(const Powers& p, double x, double c1, double c2, double c3, double c4) {
  const double u2 = p.a * c1 + c2, u3 = p.a * u2 + c3, u4 = p.a * u3 + c4;
  return {p.a * x + c1, p.a2 * x + u2, p.a3 * x + u3, p.a4 * x + u4};
}

void forward(double a, const double* c, std::size_t n, double* x) {
  const Powers p(a);
  std::size_t i = 0;
  double now = x[0];
  for (; p.useful && i + 4 <= n; i += 4) {
    const Four f = four_steps(p, now, c[i], c[i + 1], c[i + 2], c[i + 3]);
    x[i + 1] = f.x1, x[i + 2] = f.x2, x[i + 3] = f.x3, x[i + 4] = now = f.x4;
  }
  for (; i < n; ++i) x[i + 1] = now = a * now + c[i];
}

double reverse(double a, const double* x, const double* x_a, std::size_t n, double* c_a, double* a_a) {
  const Powers p(a);
  double g = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0;
  std::size_t i = n;
  for (; p.useful && i >= 4; i -= 4) {
    const Four f = four_steps(p, g, x_a[i], x_a[i - 1], x_a[i - 2], x_a[i - 3]);
    s1 += f.x1 * x[i - 1], s2 += f.x2 * x[i - 2], s3 += f.x3 * x[i - 3], s4 += f.x4 * x[i - 4];
    if (c_a != nullptr) c_a[i - 1] += f.x1, c_a[i - 2] += f.x2, c_a[i - 3] += f.x3, c_a[i - 4] += f.x4;
    g = f.x4;
  }
  for (; i > 0; --i) {
    g = a * g + x_a[i];
    s1 += g * x[i - 1];
    if (c_a != nullptr) c_a[i - 1] += g;
  }
  *a_a = (s1 + s2) + (s3 + s4);
  return a * g + x_a[0];
}

}  // namespace

extern const LinearRecurrenceLoops kLinearRecurrenceLoops;
const LinearRecurrenceLoops kLinearRecurrenceLoops = {forward, reverse};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
