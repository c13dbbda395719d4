// Multivariate normal densities, of a covariance or its factor. Rows of y or mu may be many; these are the host's.
#include <algorithm>
#include <optional>

#include "autodiff/tape/opencl/matrix_tools.h"

namespace fermiac::ad::device {
namespace {

constexpr double kLogTwoPi = 1.83787706640934548356;

bool is_array(const KernelArg& x) { return x.shape.rank > 0; }

/// y - mu, one column for each pair.
class Differences {
 public:
  explicit Differences(const KernelCall& c) : n_(c.in[2].shape.rows), count_(is_array(c.in[0]) ? c.in[0].shape.count() : is_array(c.in[1]) ? c.in[1].shape.count() : 1) {}
  std::uint32_t count() const { return count_; }
  std::vector<double> of(const KernelCall& c) const {
    std::vector<double> d(std::size_t{n_} * count_);
    for (std::uint32_t k = 0; k < count_; ++k)
      for (std::uint32_t i = 0; i < n_; ++i) d[std::size_t{k} * n_ + i] = c.in[0].v[at(c.in[0], k) + i] - c.in[1].v[at(c.in[1], k) + i];
    return d;
  }
  /// With u = Σ⁻¹ d: the density falls with d by u.
  void hand_back(const KernelCall& c, const std::vector<double>& u) const {
    for (std::uint32_t k = 0; k < count_; ++k)
      for (std::uint32_t i = 0; i < n_; ++i) {
        const double slope = -c.g * u[std::size_t{k} * n_ + i];
        if (c.in[0].a) c.in[0].a[at(c.in[0], k) + i] += slope;
        if (c.in[1].a) c.in[1].a[at(c.in[1], k) + i] -= slope;
      }
  }

 private:
  std::size_t at(const KernelArg& x, std::uint32_t k) const { return is_array(x) ? std::size_t{k} * n_ : 0; }
  std::uint32_t n_, count_;
};

enum class Form { Covariance, Factor };

template <Form F>
class Normal final : public MatrixCall {
 public:
  Normal(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), m_(desk, info.call->in[2], info.sources[2]), n_(m_.matrix().rows), differences_(*info.call) {
    DeviceBuffer* factor = m_.v();
    if (F == Form::Covariance) {
      own_ = desk.buffer(m_.matrix().numbers());
      factor = own_.get();
      factoring_.emplace(desk, m_.v(), factor, n_);
      inverses_ = factoring_->inverses();
    } else {
      const std::uint32_t order = m_.matrix().order();
      own_ = desk.buffer(std::size_t{order} * kSide);
      inverses_ = own_.get();
      invert_ = desk.kernel("invert_diagonals", order / kSide, {factor, inverses_, order, n_});
    }
    solving_.emplace(desk, factor, inverses_, n_, differences_.count());
    if (info.call->in[2].a) prepare_back(factor);
  }

  double fused(const KernelCall& c, bool with_gradient) override {
    if (!are_numbers(c.in[0], false) || !are_numbers(c.in[1], true)) throw AskHost();
    m_.bring(c.in[2], with_gradient);
    if (factoring_) factoring_->run();
    else desk_.run(invert_);
    solving_->diagonal(&diagonal_);
    if (!c.keep(0b111)) return checked(0);
    solving_->down(differences_.of(c), &z_);
    const double lp = checked(value(c));
    if (!with_gradient) return lp;
    solving_->up(z_, &u_);
    differences_.hand_back(c, u_);
    if (c.in[2].a) hand_back_matrix(c);
    return lp;
  }

 private:
  /// Not NaN, and not infinite either where it must not be.
  static bool are_numbers(const KernelArg& x, bool finite) {
    return std::ranges::all_of(std::span(x.v, x.shape.size()), [finite](double v) { return finite ? std::isfinite(v) : !std::isnan(v); });
  }
  /// What is no number the host has to look into.
  double checked(double lp) const {
    if (!std::isfinite(lp) || !std::ranges::all_of(diagonal_, [](double d) { return d > 0; })) throw AskHost();
    return lp;
  }
  double value(const KernelCall& c) const {
    double lp = 0, log_det_half = 0;
    for (std::uint32_t k = 0; k < differences_.count(); ++k) {
      double quad = 0;
      for (std::uint32_t i = 0; i < n_; ++i) quad += z_[std::size_t{k} * n_ + i] * z_[std::size_t{k} * n_ + i];
      lp -= 0.5 * quad;
    }
    for (const double d : diagonal_) log_det_half += std::log(d);
    const double count = differences_.count();
    if (!c.propto) lp -= 0.5 * count * n_ * kLogTwoPi;
    if (c.keep(0b100)) lp -= count * log_det_half;
    return lp;
  }

  // ---- the matrix's adjoints. Of a factor: tril(u z') less the reciprocals of its diagonal; of a covariance: (u u' - Σ⁻¹) / 2.

  void prepare_back(DeviceBuffer* factor) {
    const std::uint32_t order = m_.matrix().order(), blocks = order / kSide, lower = F == Form::Factor ? 1 : 0;
    diagonal_buffer_ = desk_.buffer(n_);
    outer_ = desk_.kernel("add_outer", m_.matrix().blocks(), {solving_->column_buffer(0), solving_->column_buffer(1), m_.a(), order, order, differences_.count(), lower});
    if (F == Form::Factor) {
      back_.push_back(desk_.kernel("add_to_diagonal", groups_of(n_), {diagonal_buffer_.get(), m_.a(), order, n_}));
      return;
    }
    DeviceBuffer *inverse = desk_.spare(0), *between = desk_.spare(1);
    add_inversion(desk_, factor, inverses_, inverse, between, order, &back_);
    back_.push_back(desk_.kernel("lower_transposed", blocks_below(blocks), {inverse, inverse, between, order}));
    back_.push_back(desk_.kernel("add_symmetric", m_.matrix().blocks(), {between, diagonal_buffer_.get(), m_.a(), order}));
  }
  void hand_back_matrix(const KernelCall& c) {
    std::vector<double> scaled(u_);
    for (double& x : scaled) x *= c.g * (F == Form::Factor ? 1.0 : 0.5);
    solving_->put(scaled, 0);
    solving_->put(F == Form::Factor ? z_ : u_, 1);
    desk_.run(outer_);
    const double det = -static_cast<double>(differences_.count()) * c.g;
    std::vector<double> numbers(n_, 0.5 * det);
    for (std::uint32_t i = 0; F == Form::Factor && i < n_; ++i) numbers[i] = det / diagonal_[i];
    desk_.write(*diagonal_buffer_, numbers);
    desk_.run(back_);
    m_.hand_back(c.in[2]);
  }

  MatrixDesk& desk_;
  MatrixOperand m_;
  std::uint32_t n_;
  Differences differences_;
  std::unique_ptr<DeviceBuffer> own_, diagonal_buffer_;  // own: the factor, or the inverses of its blocks
  DeviceBuffer* inverses_ = nullptr;
  std::optional<Factoring> factoring_;
  std::optional<Solving> solving_;
  Launch invert_, outer_;
  Launches back_;
  std::vector<double> diagonal_, z_, u_;
};

bool fits(const TapeView& t, const TapeCall& c) {
  const auto rows = [](const TapeCallOperand& x) { return x.shape.inner_size(); };
  const TapeCallOperand &y = operand_of(t, c, 0), &mu = operand_of(t, c, 1), &m = operand_of(t, c, 2);
  return is_square_matrix(m.shape) && rows(y) == m.shape.rows && rows(mu) == m.shape.rows && y.shape.count() > 0 && mu.shape.count() > 0 && !y.ints && !mu.ints;
}
double pairs(const TapeView& t, const TapeCall& c) { return std::max(operand_of(t, c, 0).shape.count(), operand_of(t, c, 1).shape.count()); }

template <Form F>
Work work(const TapeView& t, const TapeCall& c) {
  const double n = operand_of(t, c, 2).shape.rows, square = n * n * pairs(t, c), cube = n * n * n;
  Work w{.host_ns = square, .multiplied = square, .read = 2 * sizeof(double) * square, .launches = 2 * n / kSide + 4, .waits = 4};
  if (F == Form::Factor) return w;
  w.host_ns += kHostMultiplication * cube / 2;
  w.multiplied += cube / 2;
  w.launches += 3 * n / kSide + 20;
  return w;
}

template <Form F>
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) {
  return std::make_unique<Normal<F>>(desk, info);
}

constexpr MatrixFunction kFunctions[] = {
    {"multi_normal_cholesky_lpdf", 0b100, true, fits, work<Form::Factor>, make<Form::Factor>},
    {"multi_normal_lpdf", 0b100, false, fits, work<Form::Covariance>, make<Form::Covariance>},
};

}  // namespace

std::span<const MatrixFunction> normal_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
