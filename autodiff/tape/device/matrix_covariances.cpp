// Covariances of Gaussian processes over constant points: sigma² f(s), s the sum of ((x_d - y_d) / l_d)².
#include <algorithm>
#include <array>

#include "autodiff/tape/device/matrix_tools.h"

namespace fermiac::ad::device {
namespace {

constexpr std::uint32_t kMostScales = 8;  // as many sums as covariance_sums has
enum class Form : std::uint32_t { ExpQuad, Matern32, Matern52, Exponential };  // as in matrices.cl

template <Form F>
class Covariance final : public MatrixCall {
 public:
  Covariance(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), out_(desk, *info.call, info.host_reads), n_(out_.matrix().rows), dimensions_(points(*info.call).inner_size()), scales_(info.call->in[2].shape.size()),
        x_(desk.buffer(std::size_t{n_} * dimensions_)), scalars_(desk.buffer(1 + dimensions_)), sums_(desk.buffer(std::size_t{out_.matrix().blocks()} * (1 + scales_))) {
    put_points(info.call->in[0]);
    const std::uint32_t order = out_.matrix().order(), form = static_cast<std::uint32_t>(F);
    covariances_ = desk.kernel("covariances", out_.matrix().blocks(), {x_.get(), scalars_.get(), out_.v(), order, n_, dimensions_, form});
    back_ = desk.kernel("covariance_sums", out_.matrix().blocks(), {x_.get(), scalars_.get(), out_.a(), sums_.get(), order, n_, dimensions_, form, scales_});
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    const double sigma = c.in[1].scalar();
    std::vector<double> scalars{sigma * sigma};
    for (std::uint32_t d = 0; d < dimensions_; ++d) scalars.push_back(1 / (length(c, d) * length(c, d)));
    const auto fits = [](double x) { return x > 0 && std::isfinite(x); };
    if (!std::ranges::all_of(scalars, fits) || !fits(sigma) || !std::ranges::all_of(std::span(c.in[2].v, scales_), fits)) throw AskHost();
    desk_.write(*scalars_, scalars);
    desk_.run(covariances_);
    out_.made(c, with_gradient);
  }
  /// By sigma: 2 sigma f; by l_d: -2 sigma² f' (x_d - y_d)² / l_d³.
  void reverse(const KernelCall& c) override {
    out_.take_adjoints(c);
    desk_.run(back_);
    const std::vector<double> sums = totals();
    const double sigma = c.in[1].scalar();
    if (c.in[1].a) *c.in[1].a += 2 * sigma * sums[0];
    for (std::uint32_t k = 0; c.in[2].a && k < scales_; ++k) {
      const double l = length(c, k);
      c.in[2].a[k] -= 2 * sigma * sigma * sums[1 + k] / (l * l * l);
    }
  }
  DeviceMatrix* result() override { return &out_.matrix(); }

 private:
  static const Shape points(const KernelCall& c) { return c.in[0].shape.element(); }
  double length(const KernelCall& c, std::uint32_t d) const { return c.in[2].v[scales_ == 1 ? 0 : d]; }
  /// Coordinate after coordinate.
  void put_points(const KernelArg& x) {
    std::vector<double> turned(std::size_t{n_} * dimensions_);
    for (std::uint32_t i = 0; i < n_; ++i)
      for (std::uint32_t d = 0; d < dimensions_; ++d) turned[std::size_t{d} * n_ + i] = x.v[std::size_t{i} * dimensions_ + d];
    desk_.write(*x_, turned);
  }
  /// In the order of the blocks.
  std::vector<double> totals() {
    const std::uint32_t each = 1 + scales_;
    std::vector<double> by_block(std::size_t{out_.matrix().blocks()} * each), out(each);
    desk_.read(*sums_, by_block);
    for (std::size_t i = 0; i < by_block.size(); ++i) out[i % each] += by_block[i];
    return out;
  }

  MatrixDesk& desk_;
  MatrixOutcome out_;
  std::uint32_t n_, dimensions_, scales_;
  std::unique_ptr<DeviceBuffer> x_, scalars_, sums_;
  Launch covariances_, back_;
};

/// One set of constant points; a length scale, or one for each coordinate.
bool fits(const TapeView& t, const TapeCall& c) {
  if (c.count != 3 || !is_square_matrix(c.out)) return false;
  const TapeCallOperand &x = operand_of(t, c, 0), &scales = operand_of(t, c, 2);
  if (x.autodiff || x.ints || x.shape.rank != 1 || x.shape.size() == 0 || x.place + x.shape.size() > t.parameters_begin || operand_of(t, c, 1).ints || scales.ints) return false;
  if (scales.shape.size() < 1 || scales.shape.size() > kMostScales) return false;
  return std::ranges::all_of(t.constants.subspan(x.place, x.shape.size()), [](double v) { return std::isfinite(v); });
}
Work work(const TapeView& t, const TapeCall& c) {
  const double numbers = c.out.size(), dimensions = operand_of(t, c, 0).shape.element().inner_size();
  return {.host_ns = numbers * (3 + dimensions), .functions = numbers, .read = 2 * sizeof(double) * numbers, .launches = 3};
}

template <Form F>
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) {
  return std::make_unique<Covariance<F>>(desk, info);
}

constexpr MatrixFunction kFunctions[] = {
    {"gp_exp_quad_cov", 0, false, fits, work, make<Form::ExpQuad>},
    {"gp_matern32_cov", 0, false, fits, work, make<Form::Matern32>},
    {"gp_matern52_cov", 0, false, fits, work, make<Form::Matern52>},
    {"gp_exponential_cov", 0, false, fits, work, make<Form::Exponential>},
};

}  // namespace

std::span<const MatrixFunction> covariance_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
