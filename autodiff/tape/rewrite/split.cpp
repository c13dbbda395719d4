// Splitting: short vector ops that one source site records again and again (the five occasions of each animal, the four
// categories of each answer) are taken apart into scalar ops, so that grouping can join them across the repetitions into
// a few long vector ops. Small gathers disappear on the way: what reads their elements reads the sources.
//
// An op that hangs off a recurrence would stay apart: each repetition stands at a level of its own. So a kind of op is
// split only if the repetitions would fill vectors.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/op_class.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kShort = 16;       // elements; a longer vector op is worth its price
constexpr std::uint32_t kWorthwhile = 24;  // lanes of the vector ops to come

bool is_short_vector(const Op& op) {
  const bool vector = op.kind == OpKind::Vector || op.kind == OpKind::VectorReduce || op.kind == OpKind::VectorSink;
  return vector && op.n <= kShort && !map_op(op.map).product;
}

bool is_short_gather(const Op& op) { return op.kind == OpKind::Gather && op.n <= kShort; }

/// Classes of short ops that fill vectors when they are taken apart.
class Frequent {
 public:
  Frequent(const Trace& t, const TraceGraph& graph) {
    if (std::none_of(t.ops.begin(), t.ops.end(), is_short_vector)) return;
    for (const auto* level : {&graph.depths(), &graph.heights()}) count(t, *level);
  }
  bool contains(std::uint64_t c) const { return classes_.contains(c); }
  bool empty() const { return classes_.empty(); }

 private:
  void count(const Trace& t, const std::vector<std::uint32_t>& level) {
    std::unordered_map<std::uint64_t, std::uint32_t> lanes, levels;
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t i = 0; i < t.ops.size(); ++i) {
      if (!is_short_vector(t.ops[i])) continue;
      const std::uint64_t c = class_of(t.ops[i], t.sites[i]);
      lanes[c] += t.ops[i].n;
      const bool anywhere = t.ops[i].kind == OpKind::VectorSink;  // nothing waits for a sink
      if (seen.insert(mix(c, anywhere ? 0 : level[i])).second) ++levels[c];
    }
    for (const auto& [c, n] : lanes)
      if (n >= kWorthwhile * levels[c]) classes_.insert(c);
  }
  std::unordered_set<std::uint64_t> classes_;
};

class Splitter {
 public:
  explicit Splitter(Trace& t, const Frequent& frequent) : t_(t), frequent_(frequent), out_(t) {}

  void run() {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const Op& op = t_.ops[i];
      if (is_short_gather(op)) pass_by(op);
      else if (is_short_vector(op) && frequent_.contains(class_of(op, t_.sites[i]))) split(op, t_.sites[i]);
      else out_.copy(i);
    }
    t_ = std::move(out_).finish();
  }

 private:
  void pass_by(const Op& gather) {
    for (std::uint32_t k = 0; k < gather.n; ++k) out_.map_slot(gather.d + k, out_.mapped(t_.index[gather.table() + k]));
  }

  /// The scalar op on element k, not yet pushed.
  Op element(const Op& op, std::uint32_t k, OpKind kind) {
    Op s = op;
    s.kind = kind;
    s.n = 1;
    s.vector_mask = 0;
    for (int j = 0; j < map_arity(op.map); ++j) {
      const Ref r = op.vector_mask >> j & 1u ? op.x[j] + k : op.x[j];
      s.x[j] = r.is_const_vector() ? out_.constant(*numbers_at(t_, r)) : out_.mapped(r);
    }
    return s;
  }

  void split(const Op& op, Site site) {
    if (op.kind == OpKind::VectorReduce) return split_sum(op, site);
    for (std::uint32_t k = 0; k < op.n; ++k) {
      Op s = element(op, k, op.kind == OpKind::Vector ? OpKind::Map : OpKind::MapSink);
      if (s.kind == OpKind::Map) out_.map_slot(op.d + k, s.d = out_.allocate(1));
      out_.push(s, site);
    }
  }

  void split_sum(const Op& op, Site site) {
    Ref sum;
    for (std::uint32_t k = 0; k < op.n; ++k) {
      const Ref term = out_.push_result(element(op, k, OpKind::Map), site);
      sum = k == 0 ? term : out_.push_map(map_of(Hot::Add), {sum, term}, site);
    }
    out_.map_slot(op.d, sum);
  }

  Trace& t_;
  const Frequent& frequent_;
  Emitter out_;
};

}  // namespace

Change split_short_vectors(Trace& t, TraceGraph& graph) {
  const Frequent frequent(t, graph);
  const bool gathers = std::any_of(t.ops.begin(), t.ops.end(), is_short_gather);
  if (!gathers && frequent.empty()) return Change::None;
  Splitter(t, frequent).run();
  return Change::Edited;
}

}  // namespace fermiac::ad
