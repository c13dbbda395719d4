// Sets of small numbers, as data-flow analyses combine them. Neighbours in a flow graph have nearly the same set, so
// sets are trees that share what they have in common: a change costs a path, not a copy, and equal parts are passed
// over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace fermiac::mir {

class Bits {
 public:
  explicit Bits(std::size_t size = 0, bool value = false);
  void set(std::size_t i);
  void reset(std::size_t i);
  bool test(std::size_t i) const;
  /// In order.
  void each(const std::function<void(std::size_t)>& visit) const;
  friend bool operator==(const Bits& a, const Bits& b) { return equal(a.root_, b.root_, a.height_); }
  Bits& operator|=(const Bits& other);
  Bits& operator&=(const Bits& other);
  Bits& operator-=(const Bits& other);
  friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend Bits operator-(Bits a, const Bits& b) { return a -= b; }

 private:
  struct Node;
  using Tree = std::shared_ptr<const Node>;  // null: no element

  static Tree full(int height);
  static Tree changed(const Tree& tree, int height, std::size_t i, bool value);
  static bool equal(const Tree& a, const Tree& b, int height);
  static void each(const Tree& tree, int height, std::size_t first, const std::function<void(std::size_t)>& visit);
  template <class Rule>
  static Tree combined(const Tree& a, const Tree& b, int height, const Rule& rule);

  int height_ = 0;  // of the tree: 0 is a leaf
  Tree root_;
};

/// Meets of facts that are sets: what holds on every path, and what holds on some.
struct Intersection {
  void operator()(Bits& into, const Bits& other) const { into &= other; }
};
struct Union {
  void operator()(Bits& into, const Bits& other) const { into |= other; }
};

}  // namespace fermiac::mir
