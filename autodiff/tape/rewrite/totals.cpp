// Running sums of which only the last number is read become sums, sums that go straight into target become terms of it.
// A map whose results are summed or added to target and nothing else is summed as it is computed: no vector is stored.
#include <algorithm>
#include <numeric>
#include <vector>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr auto kAdd = map_of(Hot::Add), kMultiply = map_of(Hot::Multiply);

bool is_running_sum(const Trace& t, const Op& op) {
  return op.kind == OpKind::Call && t.calls[op.table()].kernel == known_kernels().running_sum;
}
/// Of a vector.
bool is_sum(const Op& op) {
  return op.kind == OpKind::VectorReduce && op.map == kAdd && op.vector_mask == 1 && op.x[1].is_constant();
}
bool is_terms(const Op& op) { return op.kind == OpKind::Target && op.n > 1 && op.ad_mask == 1; }

class Totals {
 public:
  Totals(Trace& t, const TraceGraph& graph) : t_(t), graph_(graph) {}

  bool run() {
    bool found = false;
    std::vector<Op> ops;
    std::vector<Site> sites;
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const std::size_t before = made_.size();
      if (is_total(t_.ops[i])) take(t_.ops[i]);
      const bool replaced = made_.size() > before;
      found |= replaced;
      for (std::size_t k = before; k < made_.size(); ++k) ops.push_back(made_[k]), sites.push_back(t_.sites[i]);
      if (!replaced) ops.push_back(t_.ops[i]), sites.push_back(t_.sites[i]);
    }
    t_.ops = std::move(ops);
    t_.sites = std::move(sites);
    return found;
  }

 private:
  /// A running sum, only whose last number is read.
  bool is_total(const Op& op) const { return is_running_sum(t_, op) && graph_.unread(op.d, op.n - 1); }
  void take(const Op& op) {
    terms_.clear();
    constant_ = 0;
    sum_ = Ref::none();
    first_made_ = made_.size();
    add_terms(operand(op, 1), op.n);
    add_addends(operand(op, 0));
    std::ranges::sort(terms_);
    add_up();
    if (constant_ != 0 || made_.size() == first_made_) plus(constant(constant_));
    // The last op made has the result.
    made_.back().d = op.d + (op.n - 1);
  }
  Ref operand(const Op& call, std::uint32_t j) const { return t_.call_operands[t_.calls[call.table()].first + j].place; }
  void add_terms(Ref r, std::uint32_t n) {
    const std::uint32_t i = graph_.producer(r);
    const bool gathered = i != TraceGraph::kNone && t_.ops[i].kind == OpKind::Gather && t_.ops[i].d == r && t_.ops[i].n == n;
    for (std::uint32_t k = 0; k < n; ++k) add_term(gathered ? t_.index[t_.ops[i].table() + k] : r + k);
  }
  void add_term(Ref r) {
    if (r.is_constant()) constant_ += *numbers_at(t_, r);
    else terms_.push_back(r);
  }
  /// The first rounds of a loop were added one by one, and a running sum may go on where another one ended.
  void add_addends(Ref r) {
    std::vector<Ref> open{r};
    for (int steps = 0; !open.empty(); ++steps) {
      const Ref sum = open.back();
      open.pop_back();
      const std::uint32_t i = graph_.read_once(sum) ? graph_.producer(sum) : TraceGraph::kNone;
      if (i == TraceGraph::kNone || steps == kMostAddends) {
        add_term(sum);
      } else if (const Op& op = t_.ops[i]; op.kind == OpKind::Map && op.map == kAdd) {
        open.insert(open.end(), {op.x[0], op.x[1]});
      } else if (is_total(op)) {
        add_terms(operand(op, 1), op.n);
        open.push_back(operand(op, 0));
      } else {
        add_term(sum);
      }
    }
  }

  /// Sorted terms: runs of a block are sums, many of one number a product.
  void add_up() {
    std::vector<Ref> singles;
    for (std::size_t k = 0; k < terms_.size();) {
      std::size_t end = k + 1;
      while (end < terms_.size() && terms_[end] == terms_[k]) ++end;
      const auto times = static_cast<std::uint32_t>(end - k);
      while (times == 1 && end < terms_.size() && continues(terms_[end - 1], terms_[end]) &&
             (end + 1 == terms_.size() || terms_[end + 1] != terms_[end]))
        ++end;
      if (times > 1) plus(product(terms_[k], times));
      else if (end - k >= kFewest) plus(reduced(terms_[k], static_cast<std::uint32_t>(end - k)));
      else singles.insert(singles.end(), terms_.begin() + static_cast<std::ptrdiff_t>(k), terms_.begin() + static_cast<std::ptrdiff_t>(end));
      k = end;
    }
    if (singles.size() < kFewest)
      for (const Ref r : singles) plus(r);
    else plus(reduced(gathered(singles), static_cast<std::uint32_t>(singles.size())));
  }
  bool continues(Ref a, Ref b) const {
    return b == a + 1 && graph_.producer(a) != TraceGraph::kNone && graph_.producer(a) == graph_.producer(b);
  }

  Ref make(Op op, double value) {
    op.keep.ad = op.ad_mask;
    op.d = build_.allocate(1);
    t_.values[op.d.index()] = value;
    made_.push_back(op);
    return op.d;
  }
  void plus(Ref r) {
    const bool first = sum_ == Ref::none();
    const Ref x = first ? constant(0) : sum_;
    // One part alone is the result itself if an op makes it.
    if (first && made_.size() > first_made_ && made_.back().d == r) return void(sum_ = r);
    sum_ = make({.kind = OpKind::Map, .ad_mask = mask(x, r), .map = kAdd, .x = {x, r}}, *numbers_at(t_, x) + *numbers_at(t_, r));
  }
  static std::uint8_t mask(Ref x, Ref y) {
    return static_cast<std::uint8_t>((x.is_constant() ? 0 : 1) | (y.is_constant() ? 0 : 2));
  }
  Ref product(Ref r, std::uint32_t times) {
    const Ref x = constant(times);
    return make({.kind = OpKind::Map, .ad_mask = 2, .map = kMultiply, .x = {x, r}}, times * t_.values[r.index()]);
  }
  Ref reduced(Ref r, std::uint32_t n) {
    const double sum = std::accumulate(numbers_at(t_, r), numbers_at(t_, r) + n, 0.0);
    return make({.kind = OpKind::VectorReduce, .vector_mask = 1, .ad_mask = 1, .map = kAdd, .n = n, .x = {r, constant(0)}}, sum);
  }
  Ref gathered(const std::vector<Ref>& refs) {
    made_.push_back(build_.gather(refs));
    return made_.back().d;
  }
  Ref constant(double x) { return build_.constant(x); }

  static constexpr std::size_t kFewest = 8;
  static constexpr int kMostAddends = 1000;
  Trace& t_;
  TraceBuilder build_{t_};
  const TraceGraph& graph_;
  std::vector<Op> made_;
  std::vector<Ref> terms_;  // of the total at hand
  double constant_ = 0;
  Ref sum_ = Ref::none();   // so far
  std::size_t first_made_ = 0;
};

/// Sums and terms of target of whole vectors: what they read, they read at once.
class Terms {
 public:
  Terms(Trace& t, TraceGraph& graph) : t_(t), graph_(graph), keep_(t.ops.size(), true) {}

  bool run() {
    for (std::uint32_t i = static_cast<std::uint32_t>(t_.ops.size()); i-- > 0;)  // the last addend first
      if (is_sum(t_.ops[i])) to_target(i);
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      if (is_sum(t_.ops[i]) || is_terms(t_.ops[i])) take_map(i);
    if (std::ranges::find(keep_, false) == keep_.end()) return false;
    keep_ops(t_, keep_);
    return true;
  }

 private:
  /// The sum is a term of target, perhaps added to others.
  void to_target(std::uint32_t i) {
    Op& sum = t_.ops[i];
    if (*numbers_at(t_, sum.x[1]) != 0) return;
    std::uint32_t at = graph_.sole_reader(sum.d);
    if (at == TraceGraph::kNone) return;
    Op& reader = t_.ops[at];
    const bool added = reader.kind == OpKind::Map && reader.map == kAdd && reader.x[0] != reader.x[1];
    const std::uint32_t target = added ? graph_.sole_reader(reader.d) : at;
    if (target == TraceGraph::kNone || t_.ops[target].kind != OpKind::Target || t_.ops[target].n != 1 || t_.ops[target].ad_mask != 1) return;
    const Weight weight = t_.ops[target].weight();
    if (added) {
      const Ref other = reader.x[reader.x[0] == sum.d ? 1 : 0];
      if (other.is_constant()) add_constant(t_, weight, *numbers_at(t_, other)), keep_[target] = false;
      else t_.ops[target].x[0] = other, graph_.set_sole_reader(other, target);
      keep_[at] = false;
    } else {
      keep_[target] = false;
    }
    sum = {.kind = OpKind::Target, .ad_mask = 1, .n = sum.n, .d = Ref::weight(weight), .x = {sum.x[0]}};
  }

  /// The map whose results these are, if they are read by nothing else.
  void take_map(std::uint32_t i) {
    Op& op = t_.ops[i];
    const Ref block = op.x[0];
    const std::uint32_t at = graph_.producer(block);
    if (at == TraceGraph::kNone) return;
    const Op& map = t_.ops[at];
    if (map.kind != OpKind::Vector || map.d != block || map.n != op.n || map_op(map.map).product || !graph_.read_once(block, op.n)) return;
    if (op.kind == OpKind::VectorReduce && *numbers_at(t_, op.x[1]) != 0) return;
    Op whole = map;
    whole.kind = op.kind == OpKind::Target ? OpKind::VectorSink : OpKind::VectorReduce;
    whole.d = op.d;
    op = whole;
    keep_[at] = false;
  }

  Trace& t_;
  TraceGraph& graph_;
  std::vector<bool> keep_;
};

}  // namespace

Change collect_totals(Trace& t, TraceGraph& graph) {
  Change change = Change::None;
  if (std::ranges::any_of(t.ops, [&](const Op& op) { return is_running_sum(t, op); }) && Totals(t, graph).run()) {
    change = Change::LeavesDeadOps;
    remove_dead_ops(t);  // what read the partial sums reads nothing more
    graph.changed();
  }
  if (std::ranges::none_of(t.ops, [](const Op& op) { return is_sum(op) || is_terms(op); })) return change;
  return Terms(t, graph).run() ? Change::Edited : change;
}

}  // namespace fermiac::ad
