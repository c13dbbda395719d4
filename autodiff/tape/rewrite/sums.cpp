// Long sums written as loops: s += term, over and over, is a chain of additions, one after the other. The terms do not
// depend on each other: added up as a vector they can be computed as vectors too (group.cpp), and a sum that goes
// straight into target is a list of terms there, densities among them as sinks.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr auto kAdd = map_of(Hot::Add);
constexpr std::uint32_t kFewestTerms = 16;  // below, additions are as quick

class Sums {
 public:
  Sums(Trace& t, const TraceGraph& graph) : t_(t), graph_(graph), length_(t.ops.size(), 1) {}

  bool run() {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      if (is_addition(t_.ops[i])) length_[i] = length_of(spine(t_.ops[i])) + 1;
    find_chains();
    if (chains_.empty()) return false;
    out_.emplace(t_);
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) emit(i);
    t_ = std::move(*out_).finish();
    return true;
  }

 private:
  enum class Role : std::uint8_t { Plain, Inner, Root, Target, Sink };
  using Chain = std::vector<Ref>;  // the terms

  static bool is_addition(const Op& op) { return op.kind == OpKind::Map && op.map == kAdd; }
  /// Terms of the chain that ends in r.
  std::uint32_t length_of(Ref r) const {
    const std::uint32_t i = graph_.producer(r);
    return i == TraceGraph::kNone ? 1 : length_[i];
  }
  /// The operand that is the sum so far.
  Ref spine(const Op& op) const { return op.x[length_of(op.x[1]) > length_of(op.x[0]) ? 1 : 0]; }

  void find_chains() {
    roles_.assign(t_.ops.size(), Role::Plain);
    chain_of_.assign(t_.ops.size(), TraceGraph::kNone);
    for (std::uint32_t i = static_cast<std::uint32_t>(t_.ops.size()); i-- > 0;)
      if (roles_[i] == Role::Plain && is_addition(t_.ops[i])) take_chain(i);
  }
  /// Goes down from a last addition as long as nothing else reads the sum so far.
  void take_chain(std::uint32_t root) {
    std::vector<std::uint32_t> additions{root};
    std::vector<Ref> terms;
    for (;;) {
      const Op& op = t_.ops[additions.back()];
      const Ref so_far = spine(op);
      terms.push_back(so_far == op.x[0] ? op.x[1] : op.x[0]);
      const Op* const before = graph_.maker(so_far);
      if (before == nullptr || !is_addition(*before) || !graph_.read_once(so_far)) {
        terms.push_back(so_far);
        break;
      }
      additions.push_back(graph_.producer(so_far));
    }
    if (terms.size() < kFewestTerms) return;
    keep(root, additions, {terms.rbegin(), terms.rend()});
  }
  void keep(std::uint32_t root, const std::vector<std::uint32_t>& additions, std::vector<Ref> terms) {
    const auto number = static_cast<std::uint32_t>(chains_.size());
    for (const std::uint32_t i : additions) roles_[i] = Role::Inner;
    const std::uint32_t reader = graph_.sole_reader(t_.ops[root].d);
    const bool in_target = reader != TraceGraph::kNone && t_.ops[reader].kind == OpKind::Target && t_.ops[reader].n == 1 &&
                           t_.ops[reader].ad_mask == 1;  // else it is the result of a function
    chains_.push_back(std::move(terms));
    const std::uint32_t at = in_target ? reader : root;
    roles_[at] = in_target ? Role::Target : Role::Root;
    chain_of_[at] = number;
    if (in_target) mark_sinks(chains_.back(), t_.ops[reader].weight());
  }
  void mark_sinks(const Chain& chain, Weight weight) {
    for (const Ref r : chain) {
      const Op* const term = graph_.maker(r);
      if (term == nullptr || term->kind != OpKind::Map || !graph_.read_once(r)) continue;
      const std::uint32_t i = graph_.producer(r);
      if (roles_[i] == Role::Plain && map_op(term->map).density) roles_[i] = Role::Sink, sink_weights_[i] = weight;
    }
  }

  void emit(std::uint32_t i) {
    switch (roles_[i]) {
      case Role::Plain:
        return out_->copy(i);
      case Role::Inner:
        return;
      case Role::Root:
        return emit_sum(i);
      case Role::Target:
        return emit_terms(i);
      case Role::Sink: {
        Op op = t_.ops[i];
        op.kind = OpKind::MapSink;
        op.set_weight(sink_weights_.at(i));
        out_->copy_as(i, op);
        return;
      }
    }
  }
  void emit_sum(std::uint32_t i) {
    std::vector<Ref> terms;
    double constant = 0;
    for (const Ref r : chains_[chain_of_[i]])
      if (r.is_constant())
        constant += *numbers_at(t_, r);
      else
        terms.push_back(r);
    const Ref all = t_.ops[i].d, sum = push_sum(terms, t_.sites[i]);
    out_->map_slot(all, sum);
    if (constant == 0) return;
    out_->set_value(sum, t_.values[all.index()] - constant);
    out_->map_slot(all, out_->push_map(kAdd, {sum, out_->constant(constant)}, t_.sites[i]));
  }
  Ref push_sum(const std::vector<Ref>& terms, Site site) {
    Op op{.kind = OpKind::VectorReduce, .vector_mask = 1, .ad_mask = 1, .map = kAdd};
    op.keep.ad = op.ad_mask;
    op.n = static_cast<std::uint32_t>(terms.size());
    op.x[0] = out_->block(terms);
    op.x[1] = out_->constant(0);
    op.d = out_->allocate(1);
    out_->push(op, site);
    return op.d;
  }
  void emit_terms(std::uint32_t i) {
    for (const Ref r : chains_[chain_of_[i]]) {
      if (r.is_constant()) {
        out_->add_to_target(t_.ops[i].weight(), *numbers_at(t_, r));
        continue;
      }
      if (const std::uint32_t maker = graph_.producer(r); maker != TraceGraph::kNone && roles_[maker] == Role::Sink) continue;
      Op op{.kind = OpKind::Target, .ad_mask = 1, .d = t_.ops[i].d};
      op.x[0] = out_->mapped(r);
      out_->push(op, t_.sites[i]);
    }
  }

  Trace& t_;
  const TraceGraph& graph_;
  std::vector<std::uint32_t> length_, chain_of_;
  std::vector<Role> roles_;
  std::unordered_map<std::uint32_t, Weight> sink_weights_;  // by op
  std::vector<Chain> chains_;
  std::optional<Emitter> out_;  // once there is something to change
};

}  // namespace

Change collect_sums(Trace& t, TraceGraph& graph) {
  const auto is_addition = [](const Op& op) { return op.kind == OpKind::Map && op.map == kAdd; };
  if (std::count_if(t.ops.begin(), t.ops.end(), is_addition) + 1 < kFewestTerms) return Change::None;
  return Sums(t, graph).run() ? Change::Edited : Change::None;
}

}  // namespace fermiac::ad
