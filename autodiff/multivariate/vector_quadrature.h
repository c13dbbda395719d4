// Adaptive quadrature of several integrals on the same nodes: a value and its derivatives stay consistent.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "support/base/stop.h"

namespace fermiac::ad {

/// Gauss-Kronrod with 7 and 15 points on the panels between the given (increasing) limits, halving the panel with the
/// largest error until every integral is known to `tolerance` of the integral of its absolute value. Integrals within
/// integrals share one object, and with it how many panels there may be: halving ends when they are used up.
template <std::size_t N>
class VectorQuadrature {
 public:
  using Sums = std::array<double, N>;

  template <class F>
  Sums integrate(const F& f, std::span<const double> limits, double tolerance) {
    std::vector<Panel> panels;
    for (std::size_t i = 0; i + 1 < limits.size(); ++i)
      if (limits[i] < limits[i + 1]) panels.push_back(panel(f, limits[i], limits[i + 1]));
    while (panels.size() < kMaxPanels && left_ > 0) {
      const auto [worst, enough] = state(panels, tolerance);
      if (enough) break;
      const Panel old = panels[worst];
      const double middle = (old.from + old.to) / 2;
      if (!(old.from < middle && middle < old.to)) break;
      panels[worst] = panel(f, old.from, middle);
      panels.push_back(panel(f, middle, old.to));
    }
    Sums sum{};
    for (const Panel& p : panels)
      for (std::size_t j = 0; j < N; ++j) sum[j] += p.value[j];
    return sum;
  }

 private:
  static constexpr std::size_t kMaxPanels = 400;
  int left_ = 50'000;
  // Half of the nodes, from the end inwards; every second one belongs to the rule of 7 points.
  static constexpr double kNodes[] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                      0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                      0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                                      0.207784955007898467600689403773245, 0};
  static constexpr double kKronrod[] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                        0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                        0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                        0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static constexpr double kGauss[] = {0, 0.129484966168869693270611432679082, 0, 0.279705391489276667901467771423780,
                                      0, 0.381830050505118944950369775488975, 0, 0.417959183673469387755102040816327};

  struct Panel {
    double from, to;
    Sums value{}, gauss{}, absolute{};
  };
  template <class F>
  Panel panel(const F& f, double from, double to) {
    stop_point();
    --left_;
    Panel p{from, to};
    const double centre = (from + to) / 2, half = (to - from) / 2;
    for (std::size_t k = 0; k < 8; ++k) {
      add(p, f(centre - half * kNodes[k]), half * kKronrod[k], half * kGauss[k]);
      if (kNodes[k] > 0) add(p, f(centre + half * kNodes[k]), half * kKronrod[k], half * kGauss[k]);
    }
    return p;
  }
  static void add(Panel& p, const Sums& y, double kronrod, double gauss) {
    for (std::size_t j = 0; j < N; ++j) {
      p.value[j] += kronrod * y[j];
      p.gauss[j] += gauss * y[j];
      p.absolute[j] += kronrod * std::abs(y[j]);
    }
  }
  struct State {
    std::size_t worst;
    bool enough;
  };
  static State state(const std::vector<Panel>& panels, double tolerance) {
    Sums absolute{}, error{};
    for (const Panel& p : panels)
      for (std::size_t j = 0; j < N; ++j) {
        absolute[j] += p.absolute[j];
        error[j] += std::abs(p.value[j] - p.gauss[j]);
      }
    State s{0, true};
    for (std::size_t j = 0; j < N; ++j) s.enough = s.enough && error[j] <= tolerance * absolute[j];
    double most = -1;
    for (std::size_t i = 0; i < panels.size(); ++i)
      for (std::size_t j = 0; j < N; ++j) {
        const double share = absolute[j] > 0 ? std::abs(panels[i].value[j] - panels[i].gauss[j]) / absolute[j] : 0;
        if (share > most) most = share, s.worst = i;
      }
    return s;
  }
};

}  // namespace fermiac::ad
