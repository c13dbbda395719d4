// Common subexpressions: an op equal to an earlier one (same function, same operands) gives way to it. log(sigma) and
// 1/sigma that several densities need are then computed once.
//
// A scalar result that is also read as part of a block (a view over consecutive results) keeps its place.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

struct Key {
  Op op;
  friend bool operator==(const Key& a, const Key& b) {
    const Op& x = a.op;
    const Op& y = b.op;
    if (x.kind != y.kind || x.map != y.map || x.vector_mask != y.vector_mask || x.n != y.n ||
        x.keep.terms != y.keep.terms || x.keep.ad != y.keep.ad)
      return false;
    for (int j = 0; j < map_arity(x.map); ++j)
      if (x.x[j] != y.x[j]) return false;
    return true;
  }
};
struct KeyHash {
  std::size_t operator()(const Key& k) const {
    std::uint64_t h = static_cast<std::uint64_t>(k.op.map) << 32 | k.op.n << 8 | static_cast<unsigned>(k.op.kind);
    for (int j = 0; j < map_arity(k.op.map); ++j) {
      h = (h ^ k.op.x[j].bits()) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 29;
    }
    return h;
  }
};

/// The ops so far, those that are equal once. A trace has many, far apart in memory: a look-up goes to one place of a flat
/// table, and to the ops themselves only where their hashes agree.
class KnownOps {
 public:
  /// Room for `most`.
  explicit KnownOps(std::size_t most) : places_(std::bit_ceil(2 * most + 2)) {}

  struct Found {
    Ref result;  // of the first op that is equal
    bool is_new = false;
  };
  Found find_or_add(const Key& key) {
    const std::uint64_t hash = KeyHash()(key);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t at = hash * 0x9e3779b97f4a7c15ULL >> 20 & (places_.size() - 1);
    for (; places_[at].op != kNone; at = (at + 1) & (places_.size() - 1))
      if (places_[at].tag == tag && ops_[places_[at].op] == key) return {ops_[places_[at].op].op.d, false};
    places_[at] = {tag, static_cast<std::uint32_t>(ops_.size())};
    ops_.push_back(key);
    return {key.op.d, true};
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Place {
    std::uint32_t tag = 0, op = kNone;
  };
  std::vector<Place> places_;
  std::vector<Key> ops_;
};

bool is_map_result(const Op& op) {
  return op.kind == OpKind::Map || op.kind == OpKind::Vector || op.kind == OpKind::VectorReduce;
}

/// A kernel call without context, as numbers to compare: kernel, shapes and where the operands lie by now.
using CallKey = std::vector<std::uint64_t>;

void append(CallKey& key, const Shape& s) {
  key.push_back(static_cast<std::uint64_t>(s.inner) << 16 | static_cast<std::uint64_t>(s.complex) << 8 | s.rank);
  key.push_back(static_cast<std::uint64_t>(s.rows) << 32 | s.cols);
  key.insert(key.end(), s.array_dims.begin(), s.array_dims.begin() + s.rank);
}

CallKey call_key(const Trace& t, const CallInfo& c, const Emitter& out) {
  CallKey key = {reinterpret_cast<std::uintptr_t>(c.kernel), c.propto.word()};
  for (std::uint32_t j = 0; j < c.count; ++j) {
    const CallOperand& o = t.call_operands[c.first + j];
    append(key, o.shape);
    if (o.ints) key.insert(key.end(), t.ints.begin() + o.int_offset, t.ints.begin() + o.int_offset + o.shape.size());
    else for (std::uint32_t k = 0; k < o.shape.size(); ++k) key.push_back(out.mapped(o.place + k).bits());
  }
  return key;
}

/// Whether nothing is computed twice, of a trace of few ops on long vectors, which had better not be copied in vain.
bool all_differ(const Trace& t) {
  constexpr std::size_t kLongVectors = 64;
  if (t.values.size() < kLongVectors * t.ops.size()) return false;
  std::unordered_set<Key, KeyHash> seen;
  return std::none_of(t.ops.begin(), t.ops.end(), [&](const Op& op) {
    return op.kind == OpKind::Call || (is_map_result(op) && !seen.insert(Key{op}).second);
  });
}

}  // namespace

Change share_common_subexpressions(Trace& t, TraceGraph& graph) {
  if (all_differ(t)) return Change::None;
  KnownOps known(static_cast<std::size_t>(std::ranges::count_if(t.ops, is_map_result)));
  std::map<CallKey, Ref> known_calls;
  Emitter out(t);
  for (std::uint32_t i = 0; i < t.ops.size(); ++i) {
    const Op& op = t.ops[i];
    if (op.kind == OpKind::Call && t.calls[op.table()].context == nullptr) {
      const auto [it, inserted] = known_calls.try_emplace(call_key(t, t.calls[op.table()], out), op.d);
      if (inserted) out.copy(i);
      for (std::uint32_t k = 0; !inserted && k < op.n; ++k) out.map_slot(op.d + k, out.mapped(it->second + k));
      continue;
    }
    if (!is_map_result(op)) {
      out.copy(i);
      continue;
    }
    Key key{op};
    for (int j = 0; j < map_arity(op.map); ++j) key.op.x[j] = out.mapped(op.x[j]);
    const auto [first, is_new] = known.find_or_add(key);
    if (is_new || (op.kind != OpKind::Vector && graph.pinned(op.d))) {
      out.copy(i);
      continue;
    }
    for (std::uint32_t k = 0; k < op.n_results(); ++k) out.map_slot(op.d + k, out.mapped(first + k));
  }
  t = std::move(out).finish();
  return Change::Edited;
}

}  // namespace fermiac::ad
