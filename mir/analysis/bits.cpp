#include "mir/analysis/bits.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace fermiac::mir {
namespace {

constexpr std::size_t kWords = 4, kLeafBits = 64 * kWords, kFanOut = 8;

std::size_t capacity(int height) {
  std::size_t bits = kLeafBits;
  for (; height > 0; --height) bits *= kFanOut;
  return bits;
}

}  // namespace

/// A leaf uses the words, any other node the parts. No node is empty, so that equal sets are equal trees.
struct Bits::Node {
  std::array<std::uint64_t, kWords> words{};
  std::array<Tree, kFanOut> parts{};
  bool operator==(const Node&) const = default;
  bool empty() const { return *this == Node{}; }
};

Bits::Bits(std::size_t size, bool value) {
  while (capacity(height_) < size) ++height_;
  if (value && size > 0) root_ = full(height_);
}

Bits::Tree Bits::full(int height) {
  Node node;
  if (height == 0)
    node.words.fill(~std::uint64_t{0});
  else
    node.parts.fill(full(height - 1));
  return std::make_shared<const Node>(std::move(node));
}

Bits::Tree Bits::changed(const Tree& tree, int height, std::size_t i, bool value) {
  if (!tree && !value) return tree;
  Node node = tree ? *tree : Node{};
  if (height == 0) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    std::uint64_t& word = node.words[i / 64];
    if (((word & bit) != 0) == value) return tree;
    word ^= bit;
  } else {
    const std::size_t below = capacity(height - 1);
    Tree& part = node.parts[i / below];
    Tree next = changed(part, height - 1, i % below, value);
    if (next == part) return tree;
    part = std::move(next);
  }
  return node.empty() ? nullptr : std::make_shared<const Node>(std::move(node));
}

void Bits::set(std::size_t i) {
  root_ = changed(root_, height_, i, true);
}
void Bits::reset(std::size_t i) {
  root_ = changed(root_, height_, i, false);
}

bool Bits::test(std::size_t i) const {
  const Node* node = root_.get();
  for (int height = height_; node != nullptr && height > 0; --height) {
    const std::size_t below = capacity(height - 1);
    node = node->parts[i / below].get();
    i %= below;
  }
  return node != nullptr && ((node->words[i / 64] >> (i % 64)) & 1) != 0;
}

void Bits::each(const std::function<void(std::size_t)>& visit) const {
  each(root_, height_, 0, visit);
}

void Bits::each(const Tree& tree, int height, std::size_t first, const std::function<void(std::size_t)>& visit) {
  if (!tree) return;
  if (height > 0) {
    for (std::size_t i = 0; i < kFanOut; ++i) each(tree->parts[i], height - 1, first + i * capacity(height - 1), visit);
    return;
  }
  for (std::size_t w = 0; w < kWords; ++w)
    for (std::uint64_t rest = tree->words[w]; rest != 0; rest &= rest - 1)
      visit(first + w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

bool Bits::equal(const Tree& a, const Tree& b, int height) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (height == 0) return a->words == b->words;
  for (std::size_t i = 0; i < kFanOut; ++i)
    if (!equal(a->parts[i], b->parts[i], height - 1)) return false;
  return true;
}

/// `rule.tree` gives the result where that needs no look inside, `rule.word` that of two words.
template <class Rule>
Bits::Tree Bits::combined(const Tree& a, const Tree& b, int height, const Rule& rule) {
  if (const std::optional<Tree> known = rule.tree(a, b)) return *known;
  Node node;
  if (height == 0)
    for (std::size_t w = 0; w < kWords; ++w) node.words[w] = rule.word(a->words[w], b->words[w]);
  else
    for (std::size_t i = 0; i < kFanOut; ++i) node.parts[i] = combined(a->parts[i], b->parts[i], height - 1, rule);
  if (node == *a) return a;
  if (node == *b) return b;
  return node.empty() ? nullptr : std::make_shared<const Node>(std::move(node));
}

Bits& Bits::operator|=(const Bits& other) {
  struct Rule {
    std::optional<Tree> tree(const Tree& a, const Tree& b) const {
      if (a == b || !b) return a;
      return a ? std::nullopt : std::optional(b);
    }
    std::uint64_t word(std::uint64_t a, std::uint64_t b) const { return a | b; }
  };
  root_ = combined(root_, other.root_, height_, Rule());
  return *this;
}

Bits& Bits::operator&=(const Bits& other) {
  struct Rule {
    std::optional<Tree> tree(const Tree& a, const Tree& b) const {
      if (a == b || !a) return a;
      return b ? std::nullopt : std::optional(b);
    }
    std::uint64_t word(std::uint64_t a, std::uint64_t b) const { return a & b; }
  };
  root_ = combined(root_, other.root_, height_, Rule());
  return *this;
}

Bits& Bits::operator-=(const Bits& other) {
  struct Rule {
    std::optional<Tree> tree(const Tree& a, const Tree& b) const {
      if (a == b) return Tree();
      return a && b ? std::nullopt : std::optional(a);
    }
    std::uint64_t word(std::uint64_t a, std::uint64_t b) const { return a & ~b; }
  };
  root_ = combined(root_, other.root_, height_, Rule());
  return *this;
}

}  // namespace fermiac::mir
