#include "inference/mcmc/adapt.h"

#include <algorithm>

namespace fermiac::inference {
namespace {

constexpr unsigned kShortestAdaptation = 20;
constexpr char kNoMetric[] = "WARNING: No estimation of the metric is performed for num_warmup < 20\n";
constexpr unsigned kFirstUpdate = 10;
constexpr double kGrowth = 1.5;

}  // namespace

void DualAveraging::restart(double stepsize, double to_exceed) {
  mu_ = std::log(10 * to_exceed);
  counter_ = s_bar_ = 0;
  x_bar_ = std::log(stepsize);
}

double DualAveraging::learn(double accept) {
  counter_ += 1;
  accept = std::isnan(accept) ? 0 : std::min(accept, 1.0);
  const double eta = 1 / (counter_ + options_.t0);
  s_bar_ = (1 - eta) * s_bar_ + eta * (options_.delta - accept);
  const double x = mu_ - s_bar_ * std::sqrt(counter_) / options_.gamma;
  const double weight = std::pow(counter_, -options_.kappa);
  x_bar_ = (1 - weight) * x_bar_ + weight * x;
  return std::exp(x);
}

MomentEstimator::MomentEstimator(MetricKind kind, std::size_t n)
    : kind_(kind), n_(n), mean_(n), m2_(kind == MetricKind::Dense ? n * n : n), delta_(n), result_(m2_.size()) {}

void MomentEstimator::restart() {
  count_ = 0;
  std::fill(mean_.begin(), mean_.end(), 0.0);
  std::fill(m2_.begin(), m2_.end(), 0.0);
}

void MomentEstimator::add(ConstSpan q) {
  const double inv = 1 / static_cast<double>(++count_);
  subtract(q, mean_, delta_);
  axpy(inv, delta_, mean_);
  if (kind_ == MetricKind::Dense) {
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j <= i; ++j) m2_[i * n_ + j] += (q[i] - mean_[i]) * delta_[j];
  } else {
    for (std::size_t i = 0; i < n_; ++i) m2_[i] += (q[i] - mean_[i]) * delta_[i];
  }
}

const Vec& MomentEstimator::regularised() {
  const double n = static_cast<double>(count_);
  const double scale = n / (n + 5) / (n - 1);
  const double ridge = 1e-3 * 5 / (n + 5);
  if (kind_ == MetricKind::Dense) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) result_[i * n_ + j] = result_[j * n_ + i] = scale * m2_[i * n_ + j];
      result_[i * n_ + i] += ridge;
    }
  } else {
    for (std::size_t i = 0; i < n_; ++i) result_[i] = scale * m2_[i] + ridge;
  }
  return result_;
}

WindowSchedule::WindowSchedule(unsigned num_warmup, const AdaptOptions& options)
    : num_warmup_(num_warmup),
      init_buffer_(options.init_buffer),
      term_buffer_(options.term_buffer),
      window_size_(options.window) {
  if (num_warmup < kShortestAdaptation) {
    slow_enabled_ = false;
    if (num_warmup > 0) warning_ = kNoMetric;
    return;
  }
  if (static_cast<unsigned long>(init_buffer_) + window_size_ + term_buffer_ > num_warmup) {
    init_buffer_ = static_cast<unsigned>(0.15 * num_warmup);
    term_buffer_ = static_cast<unsigned>(0.1 * num_warmup);
    window_size_ = num_warmup - (init_buffer_ + term_buffer_);
    warning_ =
        "WARNING: There aren't enough warmup iterations to fit the\n"
        "         three stages of adaptation as currently configured.\n"
        "         Reducing each adaptation stage to 15%/75%/10% of\n"
        "         the given number of warmup iterations:\n"
        "           init_buffer = " +
        std::to_string(init_buffer_) +
        "\n"
        "           adapt_window = " +
        std::to_string(window_size_) +
        "\n"
        "           term_buffer = " +
        std::to_string(term_buffer_) + "\n";
  }
  slow_enabled_ = window_size_ > 0;
  window_end_ = init_buffer_ + window_size_ - 1;
}

bool WindowSchedule::in_slow_window() const {
  return slow_enabled_ && counter_ >= init_buffer_ && counter_ + term_buffer_ < num_warmup_;
}

void WindowSchedule::advance() {
  if (at_window_end()) plan_next_window();
  ++counter_;
}

void WindowSchedule::plan_next_window() {
  const unsigned last = num_warmup_ - term_buffer_ - 1;
  if (window_end_ >= last) return;
  window_size_ *= 2;
  window_end_ = counter_ + window_size_;
  // A window after this one would not fit: let this one run to the end of the slow interval instead.
  if (window_end_ >= last || window_end_ + 2 * window_size_ > last) window_end_ = last;
}

UpdateSchedule::UpdateSchedule(unsigned num_warmup, const AdaptOptions& options) {
  if (num_warmup < kShortestAdaptation) {
    if (num_warmup > 0) warning_ = kNoMetric;
    return;
  }
  last_ = num_warmup - std::min(options.term_buffer, static_cast<unsigned>(0.15 * num_warmup));
  next_ = kFirstUpdate;
  settle();
}

void UpdateSchedule::advance() {
  if (at_update()) {
    next_ = static_cast<unsigned>(std::ceil(kGrowth * next_));
    settle();
  }
  ++counter_;
}

/// An update shortly before the last one would leave it few new draws: the last one stands for both.
void UpdateSchedule::settle() {
  if (kGrowth * next_ > last_) next_ = last_;
}

}  // namespace fermiac::inference
