// The draws of a quantity in order, found once: quantiles, ranks, and the order of their distances from the median follow from it.
#pragma once

#include <cstdint>
#include <vector>

#include "inference/math/vectors.h"

namespace fermiac::inference {

/// Draws of one quantity, a vector for each chain.
using ChainVecs = std::vector<Vec>;

struct OrderedDraws {
  Vec values;                         // ascending
  std::vector<std::uint32_t> places;  // of each in the chains, put one behind the other

  /// By linear interpolation between neighbours (R's type 7). NaN where there are none.
  double quantile(double probability) const;
  double median() const { return quantile(0.5); }
};

/// None of the draws is NaN. Cost: linear (a sort by digits).
OrderedDraws order_draws(const ChainVecs& chains);
/// The distances from the median, in order. Cost: linear.
OrderedDraws order_distances(const OrderedDraws& draws);

/// What ranks are replaced by: quantiles of the standard normal distribution (Blom's), one for every rank of so many draws.
class NormalScores {
 public:
  explicit NormalScores(std::size_t draws);
  std::size_t draws() const { return by_rank_.size(); }
  /// Of the mean of the ranks first, first + 1, …, last, which count from 0.
  double operator()(std::size_t first, std::size_t last) const;

 private:
  double of(double rank) const;  // from 1
  Vec by_rank_;
};

}  // namespace fermiac::inference
