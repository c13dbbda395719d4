// What the kernels of autodiff/tape/opencl/matrices.cl take on a device: milliseconds, and multiplications with additions per nanosecond.
//     build/bin/device_bench [DEVICE, gpu by default] [ORDER, 4000 by default]
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/matrix_tools.h"
#include "plugins/opencl/device.h"

namespace fermiac::ad::device {
namespace {

class Bench {
 public:
  Bench(DeviceUse& use, std::uint32_t n)
      : n_(n), order_(whole_blocks(n)), blocks_(order_ / kSide), desk_(use, std::size_t{order_} * order_), x_(desk_.matrix(n, n, true)), l_(desk_.matrix(n, n, true)),
        factoring_(desk_, x_.v.get(), l_.v.get(), n), solving_(desk_, l_.v.get(), factoring_.inverses(), n, 1) {}

  void run() {
    const double cube = static_cast<double>(order_) * order_ * order_;
    const std::size_t all = std::size_t{blocks_} * blocks_, below = blocks_below(blocks_);
    DeviceBuffer *inverse = desk_.spare(0), *p = desk_.spare(1), *product = desk_.spare(2);
    covariance(all);
    time("factor", cube / 6, [&] { factoring_.run(); });
    Launches inversion;
    add_inversion(desk_, l_.v.get(), factoring_.inverses(), inverse, p, order_, &inversion);
    time("inverse of a factor", cube / 6, [&] { desk_.run(inversion); });
    time("lower_transposed_half", cube / 6, desk_.kernel("lower_transposed_half", below, {l_.v.get(), l_.v.get(), p, order_}));
    time("lower_product", cube / 6, desk_.kernel("lower_product", below, {p, inverse, product, order_}));
    time("add_lower_symmetric", cube / 3, desk_.kernel("add_lower_symmetric", below, {product, inverse, x_.a.get(), order_}));
    time("clear", 0, desk_.kernel("clear", all, {x_.a.get(), order_}));
    std::vector<double> d(n_, 1.0), z, u;
    time("solving down", 0, [&] { solving_.down(d, &z); });
    time("solving up", 0, [&] { solving_.up(d, &u); });
    time("wait", 0, [] {});
  }

 private:
  void covariance(std::size_t all) {
    std::vector<double> points(2 * std::size_t{n_});
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = 10 * std::sin(static_cast<double>(i));
    const auto x = desk_.buffer(points.size()), scalars = desk_.buffer(3), sums = desk_.buffer(2 * all), d = desk_.buffer(1), k = desk_.buffer(x_.numbers());
    desk_.write(*x, points);
    desk_.write(*scalars, std::vector<double>{1.0, 1.0, 1.0});
    desk_.write(*d, std::vector<double>{0.1});
    time("covariances", 0, desk_.kernel("covariances", all, {x.get(), scalars.get(), k.get(), order_, n_, 2u, 0u}));
    time("with_diagonal", 0, desk_.kernel("with_diagonal", all, {k.get(), d.get(), x_.v.get(), order_, n_, 0u}));
    time("covariance_sums", 0, desk_.kernel("covariance_sums", all, {x.get(), scalars.get(), x_.v.get(), sums.get(), order_, n_, 2u, 0u, 1u}));
  }
  void time(const char* what, double products, const Launch& launch) {
    time(what, products, [&] { desk_.run(launch); });
  }
  /// The least of several times, the wait for it counted.
  void time(const char* what, double products, const std::function<void()>& run) {
    using Clock = std::chrono::steady_clock;
    double least = 1e18, last = 0;
    for (int i = 0; i < 5; ++i) {
      const auto start = Clock::now();
      run();
      desk_.read(*x_.v, {&last, 1});
      least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    }
    fmt::print("{:<24} {:>10.3f} ms {:>10.1f} per ns\n", what, least / 1e6, products / least);
  }

  std::uint32_t n_, order_, blocks_;
  MatrixDesk desk_;
  DeviceMatrix x_, l_;
  Factoring factoring_;
  Solving solving_;
};

int run(const char* choice, std::uint32_t n) {
  const OpenedDevice opened = open_device(choice);
  if (!opened.device) return std::fprintf(stderr, "device_bench: %s\n", opened.problem.c_str()), 1;
  DeviceUse use(opened.device, Placing::All, {});
  const Profile& p = use.matrix_profile();
  fmt::print("{}\ncall {:.0f} ns, launch {:.0f} ns, copy {:.4f} ns per byte, read {:.5f} ns per byte, function {:.4f} ns, multiplication {:.6f} ns\n", opened.device->info().name,
             p.call_ns, p.launch_ns, p.copy_ns_per_byte, p.read_ns_per_byte, p.function_ns, p.multiply_ns);
  Bench(use, n).run();
  return 0;
}

}  // namespace
}  // namespace fermiac::ad::device

int main(int argc, char** argv) {
  return fermiac::ad::device::run(argc > 1 ? argv[1] : "gpu", argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 4000);
}
