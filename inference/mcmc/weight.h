// What the states of a trajectory weigh.
#pragma once

#include <cmath>

namespace fermiac::inference {

/// exp(x) and sums of such, without the logarithms and exponentials that sums of logarithms need. What is below the least double is
/// zero; what a double cannot hold is in units of exp(unit): states whose energy is hundreds below that of the first.
class Weight {
 public:
  Weight() = default;  // none
  static Weight of_log(double x) { return x > kMostPlain ? Weight(1, x) : Weight(std::exp(x), 0); }

  Weight operator+(const Weight& other) const {
    if (unit_ == other.unit_) return {value_ + other.value_, unit_};
    return unit_ < other.unit_ ? other + *this : Weight(value_ + other.value_ * std::exp(other.unit_ - unit_), unit_);
  }
  /// This divided by the other.
  double over(const Weight& other) const {
    return unit_ == other.unit_ ? value_ / other.value_ : value_ / other.value_ * std::exp(unit_ - other.unit_);
  }
  /// At most one.
  double at_most_one() const { return unit_ > 0 || value_ > 1 ? 1 : value_; }

 private:
  static constexpr double kMostPlain = 600;
  Weight(double value, double unit) : value_(value), unit_(unit) {}
  double value_ = 0, unit_ = 0;
};

}  // namespace fermiac::inference
