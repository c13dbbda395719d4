// Which ops of a list can be taken out as chains: members whose results nothing reads but other members of the same chain. The pass
// `tile` and devices look for them, by what each of them can run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fermiac::ad {

/// Ops go by their place in the list; a Place names numbers: a Ref, or an index of the arena. Use: add() members, order_results(),
/// read() what every op reads, in the order of the list, then settle(). Cost: n log n of the number of members with results.
template <class Place>
class ChainFinder {
 public:
  explicit ChainFinder(std::size_t ops) : member_(ops), parent_(ops) { std::iota(parent_.begin(), parent_.end(), 0u); }

  /// A member without a result that others read.
  void add(std::uint32_t op) { member_[op] = true; }
  /// One whose result are the n numbers from `begin` on.
  void add(std::uint32_t op, Place begin, std::uint32_t n) {
    add(op);
    results_.push_back({begin, n, op});
  }
  void order_results() { std::ranges::sort(results_, {}, &Result::begin); }
  bool has_results() const { return !results_.empty(); }

  /// Op `reader` reads n numbers from `from` on: element by element, or in another way, which no chain allows of its results. Nor does
  /// it of a part of one.
  void read(std::uint32_t reader, Place from, std::uint32_t n, bool elements) {
    if (results_.empty() || from + n <= results_.front().begin) return;
    auto r = std::ranges::upper_bound(results_, from, {}, &Result::begin);
    if (r != results_.begin() && (r - 1)->begin + (r - 1)->n > from) --r;
    for (; r != results_.end() && r->begin < from + n; ++r) {
      const bool whole = r->begin == from && r->n == n;
      if (member_[reader] && whole && elements) readings_.push_back({reader, r->op});
      else drop(r->op);
    }
  }
  void settle() {
    while (!unfit_.empty()) drop_next();
    for (const Reading& r : readings_)
      if (member_[r.producer]) parent_[root(r.producer)] = root(r.reader);
  }

  bool is_member(std::uint32_t op) const { return member_[op]; }
  bool has_members() const { return std::ranges::find(member_, true) != member_.end(); }
  /// After settle(): the same for all members of a chain, and for no others.
  std::uint32_t root(std::uint32_t op) {
    while (parent_[op] != op) op = parent_[op] = parent_[parent_[op]];
    return op;
  }

 private:
  struct Result {
    Place begin;
    std::uint32_t n = 0, op = 0;
  };
  struct Reading {
    std::uint32_t reader = 0, producer = 0;
  };

  void drop(std::uint32_t op) {
    if (!member_[op]) return;
    member_[op] = false;
    unfit_.push_back(op);
  }
  /// What an op outside reads is no member either.
  void drop_next() {
    const std::uint32_t reader = unfit_.back();
    unfit_.pop_back();
    auto reading = std::ranges::lower_bound(readings_, reader, {}, &Reading::reader);
    for (; reading != readings_.end() && reading->reader == reader; ++reading) drop(reading->producer);
  }

  std::vector<bool> member_;
  std::vector<std::uint32_t> parent_;  // a forest: the root names the chain
  std::vector<Result> results_;        // of members, by begin
  std::vector<Reading> readings_;      // by reader
  std::vector<std::uint32_t> unfit_;   // dropped, but what they read is not yet
};

}  // namespace fermiac::ad
