// Covariances of Gaussian processes over constant points: sigma² f(s), s the sum of ((x_d - y_d) / l_d)²; periodic ones; dot products.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "autodiff/tape/opencl/matrix_tools.h"

namespace fermiac::ad::device {
namespace {

constexpr std::uint32_t kMostScales = 8;  // as many sums as covariance_sums has
enum class Form : std::uint32_t { ExpQuad, Matern32, Matern52, Exponential };  // as in matrices.cl

bool is_proper(double x) { return x > 0 && std::isfinite(x); }
std::uint32_t dimensions_of(const KernelCall& c) { return c.in[0].shape.element().inner_size(); }

// Laws: kernels, the scalars that these take, and what becomes of the sums that they give. Scalars that are not as they should be are the host's.

/// sigma² f(s). By sigma: 2 sigma f; by l_d: -2 sigma² f' (x_d - y_d)² / l_d³.
template <Form F>
struct Stationary {
  static constexpr const char *kValues = "covariances", *kSums = "covariance_sums";
  static constexpr std::uint32_t kForm = static_cast<std::uint32_t>(F), kOperands = 3;
  static std::uint32_t scales(const KernelCall& c) { return c.in[2].shape.size(); }
  static double length(const KernelCall& c, std::uint32_t d) { return c.in[2].v[scales(c) == 1 ? 0 : d]; }
  static bool holds(const KernelCall& c) {
    return is_proper(c.in[1].scalar()) && std::ranges::all_of(std::span(c.in[2].v, scales(c)), is_proper) && std::ranges::all_of(scalars(c), is_proper);
  }
  static std::vector<double> scalars(const KernelCall& c) {
    std::vector<double> out{c.in[1].scalar() * c.in[1].scalar()};
    for (std::uint32_t d = 0; d < dimensions_of(c); ++d) out.push_back(1 / (length(c, d) * length(c, d)));
    return out;
  }
  static void hand_back(const KernelCall& c, std::span<const double> sums) {
    const double sigma = c.in[1].scalar();
    if (c.in[1].a) *c.in[1].a += 2 * sigma * sums[0];
    for (std::uint32_t k = 0; c.in[2].a && k < scales(c); ++k) {
      const double l = length(c, k);
      c.in[2].a[k] -= 2 * sigma * sigma * sums[1 + k] / (l * l * l);
    }
  }
};

/// sigma² f, f = exp(-2 sin²(θ) / l²), θ = π r / p. By l: 4 sigma² f sin²(θ) / l³; by p: 2 sigma² f θ sin(2θ) / (l² p).
struct Periodic {
  static constexpr const char *kValues = "periodic_covariances", *kSums = "periodic_sums";
  static constexpr std::uint32_t kForm = 0, kOperands = 4;
  static std::uint32_t scales(const KernelCall&) { return 2; }
  static bool holds(const KernelCall& c) {
    return std::ranges::all_of(c.in.subspan(1), [](const KernelArg& x) { return is_proper(x.scalar()); }) && std::ranges::all_of(scalars(c), is_proper);
  }
  static std::vector<double> scalars(const KernelCall& c) {
    const double sigma = c.in[1].scalar(), l = c.in[2].scalar();
    return {sigma * sigma, 1 / (l * l), std::numbers::pi / c.in[3].scalar()};
  }
  static void hand_back(const KernelCall& c, std::span<const double> sums) {
    const double sigma = c.in[1].scalar(), l = c.in[2].scalar(), p = c.in[3].scalar();
    if (c.in[1].a) *c.in[1].a += 2 * sigma * sums[0];
    if (c.in[2].a) *c.in[2].a += 4 * sigma * sigma * sums[1] / (l * l * l);
    if (c.in[3].a) *c.in[3].a += 2 * sigma * sigma * sums[2] / (l * l * p);
  }
};

/// sigma² + x·y.
struct DotProduct {
  static constexpr const char *kValues = "dot_products", *kSums = "dot_sums";
  static constexpr std::uint32_t kForm = 0, kOperands = 2;
  static std::uint32_t scales(const KernelCall&) { return 0; }
  static bool holds(const KernelCall& c) { return c.in[1].scalar() >= 0 && std::isfinite(c.in[1].scalar()); }
  static std::vector<double> scalars(const KernelCall& c) { return {c.in[1].scalar() * c.in[1].scalar()}; }
  static void hand_back(const KernelCall& c, std::span<const double> sums) {
    if (c.in[1].a) *c.in[1].a += 2 * c.in[1].scalar() * sums[0];
  }
};

template <class Law>
class Covariance final : public MatrixCall {
 public:
  Covariance(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), out_(desk, *info.call, info.host_reads), n_(out_.matrix().rows), dimensions_(dimensions_of(*info.call)), each_(1 + Law::scales(*info.call)),
        x_(desk.buffer(std::size_t{n_} * dimensions_)), scalars_(desk.buffer(Law::scalars(*info.call).size())), sums_(desk.buffer(std::size_t{out_.matrix().blocks()} * each_)) {
    put_points(info.call->in[0]);
    const std::uint32_t order = out_.matrix().order();
    covariances_ = desk.kernel(Law::kValues, out_.matrix().blocks(), {x_.get(), scalars_.get(), out_.v(), order, n_, dimensions_, Law::kForm});
    back_ = desk.kernel(Law::kSums, out_.matrix().blocks(), {x_.get(), scalars_.get(), out_.a(), sums_.get(), order, n_, dimensions_, Law::kForm, each_ - 1});
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    if (!Law::holds(c)) throw AskHost();
    desk_.write(*scalars_, Law::scalars(c));
    desk_.run(covariances_);
    out_.made(c, with_gradient);
  }
  void reverse(const KernelCall& c) override {
    out_.take_adjoints(c);
    desk_.run(back_);
    Law::hand_back(c, totals());
  }
  DeviceMatrix* result() override { return &out_.matrix(); }

 private:
  /// Coordinate after coordinate.
  void put_points(const KernelArg& x) {
    std::vector<double> turned(std::size_t{n_} * dimensions_);
    for (std::uint32_t i = 0; i < n_; ++i)
      for (std::uint32_t d = 0; d < dimensions_; ++d) turned[std::size_t{d} * n_ + i] = x.v[std::size_t{i} * dimensions_ + d];
    desk_.write(*x_, turned);
  }
  /// In the order of the blocks.
  std::vector<double> totals() {
    std::vector<double> by_block(std::size_t{out_.matrix().blocks()} * each_), out(each_);
    desk_.read(*sums_, by_block);
    for (std::size_t i = 0; i < by_block.size(); ++i) out[i % each_] += by_block[i];
    return out;
  }

  MatrixDesk& desk_;
  MatrixOutcome out_;
  std::uint32_t n_, dimensions_, each_;  // each: sums of a block
  std::unique_ptr<DeviceBuffer> x_, scalars_, sums_;
  Launch covariances_, back_;
};

/// One set of constant points.
bool has_points(const TapeView& t, const TapeCall& c) {
  const TapeCallOperand& x = operand_of(t, c, 0);
  if (!is_square_matrix(c.out) || x.autodiff || x.ints || x.shape.rank != 1 || x.shape.size() == 0 || x.place + x.shape.size() > t.parameters_begin) return false;
  return std::ranges::all_of(t.constants.subspan(x.place, x.shape.size()), [](double v) { return std::isfinite(v); });
}
/// Numbers behind them, or a length scale for each coordinate.
template <class Law>
bool fits(const TapeView& t, const TapeCall& c) {
  if (c.count != Law::kOperands || !has_points(t, c)) return false;
  for (std::uint32_t j = 1; j < c.count; ++j) {
    const TapeCallOperand& o = operand_of(t, c, j);
    const bool may_be_many = Law::kOperands == 3 && j == 2;
    if (o.ints || (!may_be_many && !o.shape.is_scalar()) || o.shape.size() < 1 || o.shape.size() > kMostScales) return false;
  }
  return true;
}
Work work(const TapeView& t, const TapeCall& c) {
  const double numbers = c.out.size(), dimensions = operand_of(t, c, 0).shape.element().inner_size();
  return {.host_ns = numbers * (3 + dimensions), .functions = numbers, .read = 2 * sizeof(double) * numbers, .launches = 3};
}

template <class Law>
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) {
  return std::make_unique<Covariance<Law>>(desk, info);
}
template <class Law>
constexpr MatrixFunction row(std::string_view kernel) {
  return {kernel, 0, false, fits<Law>, work, make<Law>};
}

constexpr MatrixFunction kFunctions[] = {
    row<Stationary<Form::ExpQuad>>("gp_exp_quad_cov"),   row<Stationary<Form::Matern32>>("gp_matern32_cov"),
    row<Stationary<Form::Matern52>>("gp_matern52_cov"),  row<Stationary<Form::Exponential>>("gp_exponential_cov"),
    row<Periodic>("gp_periodic_cov"),                    row<DotProduct>("gp_dot_prod_cov"),
};

}  // namespace

std::span<const MatrixFunction> covariance_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
