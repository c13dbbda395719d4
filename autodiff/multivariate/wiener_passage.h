// The time at which a Wiener process first leaves an interval at its upper end: density and partials at one point.
#pragma once

namespace fermiac::ad::wiener {

/// Interval of length a; the upper end is a * w away, the lower one a * bias, bias = 1 - w; drift v, normal with standard deviation
/// sv between trials.
struct Process {
  double a, w, bias, v, sv = 0;
};

struct Density {
  double log_p, by_t, by_a, by_w, by_v, by_sv;  // slopes of log_p
};

/// At time t > 0. log_p is -inf where the density is 0.
Density density(double t, const Process& p);

}  // namespace fermiac::ad::wiener
