// Arguments at which maps are timed: drawn at random over what the domain allows, so that every branch is met about as
// often as in use. The ranges of the operands are found by trial.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "frontend/builtins/builtins.h"

namespace fermiac::bench {

struct Points {
  std::string kinds;                   // per operand: 'i' int, 'r' real
  std::vector<std::vector<double>> x;  // a column per operand
};

/// 'i' and 'r' of the overload whose arguments are all scalars; nothing if there is none (ops that are no functions).
inline std::optional<std::string> scalar_kinds(std::string_view name, std::size_t arity) {
  std::optional<std::string> found;
  for (const Signature& s : signatures(name)) {
    std::string kinds;
    for (const Formal& f : s.formals)
      if (f.type.is_number()) kinds += f.type.is(BaseType::Int) ? 'i' : 'r';
    const bool more_reals = !found || std::ranges::count(kinds, 'r') > std::ranges::count(*found, 'r');
    if (kinds.size() == arity && s.formals.size() == arity && more_reals) found = kinds;
  }
  return found;
}

class PointFinder {
 public:
  PointFinder(const ad::MapOp& op, std::string kinds) : op_(op), kinds_(std::move(kinds)), range_(op.arity, 0) {}

  std::optional<Points> find(std::size_t n) {
    std::vector<int> best;
    double most = 0.01;
    do {
      const double share = accepted(400);
      if (share > most + 0.02) most = share, best = range_;
    } while (next_ranges());
    if (best.empty()) return std::nullopt;
    range_ = best;
    random_.seed(1);
    Points p{kinds_, std::vector<std::vector<double>>(op_.arity)};
    while (p.x[0].size() < n)
      if (draw())
        for (std::size_t j = 0; j < x_.size(); ++j) p.x[j].push_back(x_[j]);
    return p;
  }

 private:
  static constexpr int kRanges = 3;
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  double number(std::size_t j) {
    if (kinds_[j] == 'i')
      return std::floor(range_[j] == 0 ? uniform(0, 13) : range_[j] == 1 ? uniform(8, 21) : uniform(0, 2));
    return range_[j] == 0 ? uniform(-3, 3) : range_[j] == 1 ? std::exp(uniform(-1.2, 1.8)) : uniform(0.02, 0.98);
  }
  bool next_ranges() {
    for (int& r : range_) {
      if (++r < kRanges) return true;
      r = 0;
    }
    return false;
  }
  bool draw() {
    x_.resize(op_.arity);
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = number(j);
    try {
      return op_.valid(x_.data()) && std::isfinite(op_.value(x_.data(), ad::Keep::everything()));
    } catch (const std::exception&) {  // outside the domain
      return false;
    }
  }
  double accepted(int trials) {
    random_.seed(2);
    int good = 0;
    for (int i = 0; i < trials; ++i) good += draw();
    return static_cast<double>(good) / trials;
  }

  const ad::MapOp& op_;
  std::string kinds_;
  std::vector<int> range_;
  std::vector<double> x_;
  std::mt19937 random_{1};
};

}  // namespace fermiac::bench
