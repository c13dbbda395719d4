// The mechanics below NUTS: the integrator, the first step size, no allocation while sampling.
#include "inference/mcmc/hmc.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "inference/mcmc/walnuts.h"
#include "tests/shared/analytic_models.h"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined: g++ would see one of malloc and free alone, and warn that the other does not belong to it.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace fermiac::inference {
namespace {

using testing::AnalyticModel;

/// Opens the protected parts.
class Probe final : public Hmc {
 public:
  using Hmc::Hmc;
  Transition transition() override { return {}; }
  void step(PhasePoint& z, double eps) { leapfrog(z, eps, velocity_); }
  double hamiltonian(const PhasePoint& z) {
    Vec v(z.q.size());
    return energy(z, v);
  }
  PhasePoint point(ConstSpan q, ConstSpan p) {
    PhasePoint z(q.size());
    copy(q, z.q);
    copy(p, z.p);
    z.lp = target_.gradient(z.q, z.grad);
    return z;
  }
};

TEST(Leapfrog, IsReversible) {
  const AnalyticModel model = testing::funnel(3);
  Target target(model);
  Probe hmc(target, MetricKind::Dense, Rng(1));
  ASSERT_TRUE(hmc.metric().set_inverse(Vec{1, 0.2, 0, 0.2, 2, 0.1, 0, 0.1, 0.5}));
  const Vec q = {0.3, -1, 0.5}, p = {1, 0.4, -0.7};
  PhasePoint z = hmc.point(q, p);
  for (int i = 0; i < 20; ++i) hmc.step(z, 0.1);
  EXPECT_GT(std::fabs(z.q[0] - q[0]), 0.1);
  for (int i = 0; i < 20; ++i) hmc.step(z, -0.1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(z.q[i], q[i], 1e-12);
    EXPECT_NEAR(z.p[i], p[i], 1e-12);
  }
}

TEST(Leapfrog, EnergyErrorIsOfSecondOrder) {
  const AnalyticModel model = testing::funnel(2);
  Target target(model);
  Probe hmc(target, MetricKind::Unit, Rng(1));
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const int steps = 40 << k;
    PhasePoint z = hmc.point(Vec{0.5, 1}, Vec{0.3, -0.8});
    const double before = hmc.hamiltonian(z);
    for (int i = 0; i < steps; ++i) hmc.step(z, 2.0 / steps);
    errors[k] = std::fabs(hmc.hamiltonian(z) - before);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.2);
}

TEST(FindStepsize, FitsTheScaleOfTheDensity) {
  for (const double scale : {1e-4, 1.0, 1e3}) {
    const AnalyticModel model("scaled", 1, [scale](std::span<const double> q, double* lp, std::span<double> g) {
      *lp = -0.5 * q[0] * q[0] / (scale * scale);
      g[0] = -q[0] / (scale * scale);
      return true;
    });
    Target target(model);
    Probe hmc(target, MetricKind::Unit, Rng(4));
    ASSERT_TRUE(hmc.start(Vec{scale}));
    ASSERT_TRUE(hmc.find_stepsize());
    EXPECT_GT(hmc.nominal_stepsize(), 0.2 * scale);
    EXPECT_LT(hmc.nominal_stepsize(), 10 * scale);
  }
}

TEST(FindStepsize, ImproperAndDiscontinuousDensities) {
  const AnalyticModel flat("flat", 1, [](auto, double* lp, std::span<double> g) {
    *lp = 0;
    g[0] = 0;
    return true;
  });
  Target flat_target(flat);
  Probe improper(flat_target, MetricKind::Unit, Rng(4));
  ASSERT_TRUE(improper.start(Vec{0}));
  EXPECT_EQ(improper.find_stepsize().message, "Posterior is improper. Please check your model.");

  const AnalyticModel spike("spike", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = q[0] == 0.25 ? 0 : -1000;
    g[0] = 1;
    return true;
  });
  Target spike_target(spike);
  Probe discontinuous(spike_target, MetricKind::Unit, Rng(5));
  ASSERT_TRUE(discontinuous.start(Vec{0.25}));
  // Only a step too small to move the position is accepted: that is where the search ends.
  ASSERT_TRUE(discontinuous.find_stepsize());
  EXPECT_LT(discontinuous.nominal_stepsize(), 1e-15);
}

void expect_no_allocations(Hmc& engine) {
  engine.set_stepsize(0.3);
  ASSERT_TRUE(engine.start(Vec{0.1, 0.2}));
  engine.transition();
  const long before = allocations;
  for (int i = 0; i < 200; ++i) engine.transition();
  EXPECT_EQ(allocations - before, 0);
}

TEST(Nuts, TransitionsDoNotAllocate) {
  const AnalyticModel model = testing::correlated_normal();
  for (const MetricKind kind : {MetricKind::Unit, MetricKind::Diag, MetricKind::Dense}) {
    Target target(model);
    Nuts nuts(target, kind, Rng(2), 10);
    expect_no_allocations(nuts);
    Walnuts walnuts(target, kind, Rng(2), 10, {0.1, 10});
    expect_no_allocations(walnuts);
  }
}

TEST(Nuts, LongerTreesForSmallerSteps) {
  const AnalyticModel model = testing::std_normal(1);
  Target target(model);
  Nuts nuts(target, MetricKind::Unit, Rng(2), 10);
  ASSERT_TRUE(nuts.start(Vec{0.5}));
  // A trajectory longer than one orbit, 2 pi / eps steps, has turned, and the last doubling at most doubles it. The
  // time a trajectory covers does not depend on the step size, up to the factor of two of the doubling.
  double shortest = kInf, longest = 0;
  for (const double eps : {0.4, 0.1, 0.02}) {
    nuts.set_stepsize(eps);
    double time = 0;
    for (int i = 0; i < 1000; ++i) {
      const int steps = nuts.transition().n_leapfrog;
      EXPECT_LE(steps * eps, 4 * 3.1416 + eps);
      time += steps * eps / 1000;
    }
    shortest = std::min(shortest, time);
    longest = std::max(longest, time);
  }
  EXPECT_LT(longest / shortest, 2);
}

TEST(Nuts, EnergyIsTheHamiltonianAfterTheStep) {
  // For a proper sampler energy minus potential, the kinetic energy, has mean n / 2 under the resampled momenta.
  const AnalyticModel model = testing::std_normal(4);
  Target target(model);
  Nuts nuts(target, MetricKind::Diag, Rng(3), 10);
  nuts.set_stepsize(0.4);
  ASSERT_TRUE(nuts.start(Vec(4, 0.5)));
  double kinetic = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const Transition t = nuts.transition();
    kinetic += (t.energy + t.lp) / n;
    ASSERT_GE(t.energy + t.lp, 0);
  }
  EXPECT_NEAR(kinetic, 2, 0.05);
}

}  // namespace
}  // namespace fermiac::inference
