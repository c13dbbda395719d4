// The second derivative of the digamma function.
#pragma once

namespace fermiac::ad::scalar {

/// psi''(x); NaN at 0, -1, -2, …
double tetragamma(double x);

}  // namespace fermiac::ad::scalar
