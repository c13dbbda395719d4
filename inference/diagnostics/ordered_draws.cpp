#include "inference/diagnostics/ordered_draws.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "inference/math/quantiles.h"

namespace fermiac::inference {
namespace {

/// A draw as a number whose order is that of doubles: negative ones have all bits turned, the others the sign alone.
struct Item {
  std::uint64_t key;
  std::uint32_t place;
};
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return bits & kSign ? ~bits : bits | kSign;
}

double value_of(std::uint64_t key) {
  return std::bit_cast<double>(key & kSign ? key & ~kSign : ~key);
}

constexpr int kDigits = 8;
using Counts = std::array<std::array<std::uint32_t, 256>, kDigits>;

std::uint8_t digit(std::uint64_t key, int d) {
  return static_cast<std::uint8_t>(key >> (8 * d));
}

/// By one digit after the other, the last first; each pass keeps the order of the one before.
void sort_by_digits(std::vector<Item>* items) {
  Counts counts{};
  for (const Item& x : *items)
    for (int d = 0; d < kDigits; ++d) ++counts[static_cast<std::size_t>(d)][digit(x.key, d)];
  std::vector<Item> other(items->size());
  for (int d = 0; d < kDigits; ++d) {
    auto& next = counts[static_cast<std::size_t>(d)];
    if (next[digit(items->front().key, d)] == items->size()) continue;  // the digit of all
    std::uint32_t sum = 0;
    for (std::uint32_t& at : next) sum += std::exchange(at, sum);
    for (const Item& x : *items) other[next[digit(x.key, d)]++] = x;
    items->swap(other);
  }
}

}  // namespace

double OrderedDraws::quantile(double probability) const {
  return quantile_sorted(values, probability);
}

OrderedDraws order_draws(const ChainVecs& chains) {
  std::vector<Item> items;
  for (const Vec& chain : chains)
    for (const double x : chain) items.push_back({key_of(x), static_cast<std::uint32_t>(items.size())});
  if (!items.empty()) sort_by_digits(&items);
  OrderedDraws out;
  out.values.reserve(items.size());
  out.places.reserve(items.size());
  for (const Item& x : items) {
    out.values.push_back(value_of(x.key));
    out.places.push_back(x.place);
  }
  return out;
}

OrderedDraws order_distances(const OrderedDraws& draws) {
  const std::size_t n = draws.values.size();
  const double median = draws.median();
  // From the middle outward: those below it and those above it each come in order.
  std::size_t above = static_cast<std::size_t>(std::lower_bound(draws.values.begin(), draws.values.end(), median) - draws.values.begin());
  std::size_t below = above;  // the next is below - 1
  OrderedDraws out;
  out.values.reserve(n);
  out.places.reserve(n);
  const auto distance = [&](std::size_t i) { return std::fabs(draws.values[i] - median); };
  while (below > 0 || above < n) {
    const bool take_above = below == 0 || (above < n && distance(above) <= distance(below - 1));
    const std::size_t i = take_above ? above++ : --below;
    out.values.push_back(distance(i));
    out.places.push_back(draws.places[i]);
  }
  return out;
}

NormalScores::NormalScores(std::size_t draws) : by_rank_(draws) {
  for (std::size_t i = 0; i < draws; ++i) by_rank_[i] = of(static_cast<double>(i + 1));
}

double NormalScores::of(double rank) const {
  return normal_quantile((rank - 0.375) / (static_cast<double>(draws()) + 0.25));
}

double NormalScores::operator()(std::size_t first, std::size_t last) const {
  const std::size_t both = first + last;
  return both % 2 == 0 ? by_rank_[both / 2] : of(0.5 * static_cast<double>(both + 2));
}

}  // namespace fermiac::inference
