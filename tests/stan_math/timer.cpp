// What an emitted model takes, optimised as a program that samples: microseconds of a gradient of the sampling density and of a row
// of draws (write_array), the smallest of some windows. Compiled with -include MODEL.hpp.
//   timer DATA.json SECONDS
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>

#include <stan/io/json/json_data.hpp>
#include <stan/services/util/create_rng.hpp>

namespace {

using Vector = Eigen::VectorXd;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Runs that take `window` seconds together, several times.
template <typename Run>
double microseconds(double window, Run run) {
  run();
  long count = 1;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 5;) {
    const double begin = seconds();
    for (long i = 0; i < count; ++i) run();
    const double took = seconds() - begin;
    if (took < window / 5) {
      count *= took < window / 50 ? 10 : 2;
      continue;
    }
    best = std::min(best, took / static_cast<double>(count));
    ++k;
  }
  return best * 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1]);
  const stan::json::json_data data(in);
  const stan_model model(const_cast<stan::json::json_data&>(data), 1, nullptr);
  auto rng = stan::services::util::create_rng(1, 0);
  const double window = std::atof(argv[2]);
  Vector theta(model.num_params_r()), row;
  for (Eigen::Index i = 0; i < theta.size(); ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  const double gradient = microseconds(window, [&] {
    const stan::math::nested_rev_autodiff nested;
    Eigen::Matrix<stan::math::var, -1, 1> x(theta);
    stan::math::grad(model.log_prob<true, true>(x, nullptr).vi_);
  });
  const double draw = microseconds(window, [&] { model.write_array(rng, theta, row, true, true, nullptr); });
  std::cout << "{\"us_per_grad\": " << gradient << ", \"us_per_draw\": " << draw << ", \"columns\": " << row.size() << "}\n";
}
