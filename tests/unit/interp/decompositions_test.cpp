// Every decomposition of a matrix: runs there and back at small sizes (under the sanitizers too), and can be stopped at
// large ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "support/base/interrupted.h"
#include "support/base/stop.h"
#include "tests/shared/program_runner.h"

namespace fermiac::ad {
namespace {

enum class Input { Symmetric, General, Complex, ComplexSymmetric };
struct Decomposition {
  const char* name;
  Input input;
};
constexpr Decomposition kDecompositions[] = {
    {"eigenvalues_sym", Input::Symmetric}, {"eigenvectors_sym", Input::Symmetric},
    {"eigenvalues", Input::General}, {"eigenvectors", Input::General},
    {"eigenvalues", Input::Complex}, {"eigenvectors", Input::Complex},
    {"complex_eigenvalues_sym", Input::ComplexSymmetric}, {"complex_eigenvectors_sym", Input::ComplexSymmetric},
    {"complex_schur_decompose_t", Input::General}, {"complex_schur_decompose_u", Input::General},
    {"complex_schur_decompose_t", Input::Complex}, {"complex_schur_decompose_u", Input::Complex},
    {"singular_values", Input::General}, {"svd_U", Input::General}, {"svd_V", Input::General},
    {"complex_singular_values", Input::Complex}, {"complex_svd_U", Input::Complex}, {"complex_svd_V", Input::Complex},
    {"generalized_inverse", Input::General}, {"qr_Q", Input::General}, {"qr_R", Input::General},
    {"qr_thin_Q", Input::General}, {"qr_thin_R", Input::General}, {"matrix_exp", Input::General}};

bool is_complex(Input i) { return i == Input::Complex || i == Input::ComplexSymmetric; }

double noise(std::size_t i) {
  const double x = 1e4 * std::sin(static_cast<double>(i + 1));
  return x - std::floor(x) - 0.5;
}

class Application {
 public:
  Application(const Decomposition& d, std::uint32_t rows, std::uint32_t cols) : kernel_(*find_kernel(d.name)) {
    arg_.shape = Shape::matrix(rows, cols);
    arg_.shape.complex = is_complex(d.input);
    const std::size_t step = arg_.shape.complex ? 2 : 1;
    numbers_.resize(step * rows * cols);
    adjoints_.resize(numbers_.size());
    const bool symmetric = d.input == Input::Symmetric || d.input == Input::ComplexSymmetric;
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = symmetric ? std::min(i, j) : i, col = symmetric ? std::max(i, j) : j;
        double* x = &numbers_[step * (i + j * rows)];
        x[0] = noise(row + 1000 * col) + (i == j ? 1 + static_cast<double>(i) : 0);
        if (d.input == Input::Complex) x[1] = noise(i + 1000 * j + 500'000);
      }
    arg_.v = numbers_.data();
    arg_.a = adjoints_.data();
    call_.name = kernel_.name;
    call_.in = {&arg_, 1};
    const Plan plan = kernel_.plan(call_);
    call_.out_shape = plan.out;
    const std::size_t size = plan.out.size();
    out_.assign(2 * size + 8, 0);
    out_adjoints_.assign(2 * size + 8, 1);
    scratch_.assign(plan.scratch + 8, 0);
    call_.out = out_.data();
    call_.out_a = out_adjoints_.data();
    call_.scratch = scratch_.data();
  }
  void forward() { kernel_.forward(call_); }
  void reverse() { kernel_.reverse(call_); }
  const std::vector<double>& out() const { return out_; }
  const std::vector<double>& adjoints() const { return adjoints_; }

 private:
  const Kernel& kernel_;
  KernelArg arg_;
  KernelCall call_;
  std::vector<double> numbers_, adjoints_, out_, out_adjoints_, scratch_;
};

bool all_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

TEST(Decompositions, ThereAndBack) {
  for (const Decomposition& d : kDecompositions)
    for (const std::uint32_t n : {1u, 2u, 5u, 20u}) {
      SCOPED_TRACE(std::string(d.name) + ", n = " + std::to_string(n));
      Application a(d, n, n);
      a.forward();
      a.reverse();
      EXPECT_TRUE(all_finite(a.out()));
      EXPECT_TRUE(all_finite(a.adjoints()));
    }
}

/// Sets a flag a while after it was made.
class Timer {
 public:
  explicit Timer(std::chrono::milliseconds wait)
      : thread_([this, wait] {
          std::this_thread::sleep_for(wait);
          set_at_ = std::chrono::steady_clock::now();
          flag_ = true;
        }) {}
  ~Timer() { thread_.join(); }
  const std::atomic<bool>* flag() const { return &flag_; }
  double seconds_since() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - set_at_).count(); }

 private:
  std::atomic<bool> flag_ = false;
  std::chrono::steady_clock::time_point set_at_;
  std::thread thread_;
};

TEST(Decompositions, StopWithinASecond) {
  for (const Decomposition& d : kDecompositions) {
    SCOPED_TRACE(d.name);
    Application a(d, 800, 800);
    Timer timer(std::chrono::milliseconds(30));
    const StopScope scope(timer.flag());
    // One after the other: some are done before anybody asks them to stop.
    EXPECT_THROW(for (;;) a.forward(), Interrupted);
    EXPECT_LT(timer.seconds_since(), 1);
  }
}

TEST(Decompositions, EigenComesThroughOneHeader) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FERMIAC_SOURCE_DIR "/autodiff")) {
    if (!entry.is_regular_file() || entry.path().filename() == "eigen.h") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      EXPECT_FALSE(line.starts_with("#include <Eigen/")) << entry.path() << ": " << line;
  }
}

TEST(Decompositions, OfOneComplexMatrixAreNotTakenForThoseOfARealOne) {
  const auto model = fermiac::testing::load(R"(parameters { real x; } model {
    complex_matrix[2, 2] m = [[x, 1], [1, 2 * x]];
    x ~ normal(0, 1);
    target += sum(get_real(eigenvalues_sym(m))) + 0 * sum(abs(eigenvectors_sym(m))); })");
  ASSERT_TRUE(model);
  std::vector<double> gradient(1);
  double lp = 0;
  const EvalStatus status = model->workspace()->log_density_gradient(std::vector{0.5}, {}, &lp, gradient);
  EXPECT_TRUE(status) << status.message;
  EXPECT_NEAR(lp, 1.5 - 0.125, 1e-12);
  EXPECT_NEAR(gradient[0], 3 - 0.5, 1e-9);
}

}  // namespace
}  // namespace fermiac::ad
