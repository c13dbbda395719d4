// Recurrences of log_sum_exp: the forward algorithm of a hidden Markov model, written in whatever way, is recorded as
//
//   x'[k] = log_sum_exp_j(x[j] + a[j, k] + …) + …,   k = 1 … K,   again and again,
//
// and every sum hangs on the one before, so grouping finds no lanes. This pass collects such steps into chains and puts
// one kernel (log_chain.h) in the place of each. Terms that do not vary with j are added after the sum.
//
// Many chains side by side stay scalar ops: grouping fills lanes across them.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/has_path.h"
#include "autodiff/tape/rewrite/late_ops.h"
#include "autodiff/tape/rewrite/log_chain.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr std::size_t kMostStates = 32;
constexpr std::size_t kFewestSteps = 4;
constexpr std::size_t kMostChains = 24;  // beyond, lanes across chains win
constexpr std::size_t kMostTerms = 8;    // of one sum in the exponent

bool is_log_sum(const Op& op) {
  static const MapCode kCodes[] = {find_map("log_sum_exp"), find_map("log_sum_exp_3__"), find_map("log_sum_exp_4__")};
  return op.kind == OpKind::Map && std::ranges::find(kCodes, op.map) != std::end(kCodes);
}

constexpr auto kAdd = map_of(Hot::Add);
constexpr auto kSubtract = map_of(Hot::Subtract);

struct Part {
  Ref ref;
  bool minus = false;
  friend auto operator<=>(const Part&, const Part&) = default;
};

/// log_sum_exp over states: `entries[j]` is what is added to states[j], `common` what is added to all.
struct Sum {
  std::uint32_t op = 0;
  Ref result;
  std::vector<Ref> states;
  std::vector<std::vector<Part>> entries;
  std::vector<Part> common;
};
/// All sums over the same states.
struct Step {
  std::vector<Sum> sums;
  std::uint32_t next = kNone;
  bool has_previous = false;
  const std::vector<Ref>& states() const { return sums[0].states; }
};

class Chains {
  using Chain = std::vector<std::uint32_t>;  // steps

 public:
  explicit Chains(Trace& t) : t_(t), graph_(t, Gathers::Names), out_(t) {}

  bool run() {
    find_steps();
    link_steps();
    std::vector<Chain> chains = find_chains();
    if (chains.empty() || chains.size() > kMostChains) return false;
    const auto ops = [&](const Chain& chain, std::vector<ChainedOp>& all) { ops_of(chain, all); };
    const LateOps late = drop_entangled(t_, chains, ops, [&](const Chain& chain, const LateOps& late_ops) { return reads_late(chain, late_ops); });
    if (chains.empty()) return false;
    replace_chains(t_, out_, chains, late, [&](const Chain& chain) { emit(chain); });
    t_ = std::move(out_).finish();
    return true;
  }

 private:
  /// The map that makes r: of scalars, or of vectors no longer than the states of a chain.
  const Op* producer(Ref r) const {
    const Op* const op = graph_.maker(r);
    const bool map = op != nullptr && (op->kind == OpKind::Map || (op->kind == OpKind::Vector && op->n <= kMostStates));
    return map ? op : nullptr;
  }
  /// Operand j of the (element of the) op that makes r.
  Ref operand(Ref r, int j) const {
    const Op& op = *producer(r);
    const Ref x = op.vector_mask >> j & 1u ? op.x[j] + (r - op.d) : op.x[j];
    return graph_.name(x);
  }
  std::uint32_t depth(Ref r) const { return graph_.depth(r); }

  /// Appends the terms of nested log_sum_exp, each read only by its parent.
  void exponents(Ref r, std::vector<Ref>& all) const {
    const Op* op = producer(r);
    if (op == nullptr || !is_log_sum(*op) || !graph_.read_once(r)) return all.push_back(r);
    for (int j = 0; j < map_arity(op->map); ++j) exponents(operand(r, j), all);
  }
  /// Appends the terms of a sum.
  void parts(Ref r, bool minus, std::vector<Part>& all) const {
    const Op* op = producer(r);
    const bool sum = op != nullptr && (op->map == kAdd || op->map == kSubtract);
    if (!sum || !graph_.read_once(r)) return all.push_back({r, minus});
    parts(operand(r, 0), minus, all);
    parts(operand(r, 1), minus != (op->map == kSubtract), all);
  }

  // ---- steps

  std::optional<Sum> read_sum(std::uint32_t i) const {
    Sum sum{.op = i, .result = t_.ops[i].d};
    std::vector<Ref> terms;
    for (int j = 0; j < map_arity(t_.ops[i].map); ++j) exponents(operand(sum.result, j), terms);
    if (terms.size() > kMostStates) return std::nullopt;
    for (const Ref term : terms) {
      std::vector<Part> all;
      parts(term, false, all);
      if (all.size() > kMostTerms) return std::nullopt;
      const auto state = std::ranges::max_element(all, {}, [&](const Part& p) { return depth(p.ref); });
      if (state->ref.is_constant() || state->minus) return std::nullopt;
      sum.states.push_back(state->ref);
      all.erase(state);
      sum.entries.push_back(std::move(all));
    }
    take_out_common(sum);
    return sum;
  }

  static void take_out_common(Sum& sum) {
    for (const Part& part : std::vector<Part>(sum.entries[0])) {
      const bool everywhere = std::ranges::all_of(sum.entries, [&](const auto& e) { return std::ranges::find(e, part) != e.end(); });
      if (!everywhere) continue;
      for (auto& e : sum.entries) e.erase(std::ranges::find(e, part));
      sum.common.push_back(part);
    }
  }

  void find_steps() {
    std::map<std::vector<Ref>, std::uint32_t> by_states;
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const Op& op = t_.ops[i];
      if (!is_log_sum(op)) continue;
      std::optional<Sum> sum = read_sum(i);
      if (!sum) continue;
      const auto [it, inserted] = by_states.try_emplace(sum->states, static_cast<std::uint32_t>(steps_.size()));
      if (inserted) steps_.emplace_back();
      steps_[it->second].sums.push_back(std::move(*sum));
    }
    for (std::uint32_t s = 0; s < steps_.size(); ++s)
      if (steps_[s].sums.size() == steps_[s].states().size())
        for (std::uint32_t k = 0; k < steps_[s].sums.size(); ++k) sum_of_[steps_[s].sums[k].result] = {s, k};
  }

  struct Place {
    std::uint32_t step = kNone, sum = 0;
  };
  /// The sum that makes a state, and what is added to it on the way.
  Place source(Ref state, std::vector<Part>& added) const {
    for (std::size_t i = 0; i < kMostTerms; ++i) {
      if (const auto it = sum_of_.find(state); it != sum_of_.end()) return it->second;
      const Op* op = producer(state);
      if (op == nullptr || (op->map != kAdd && op->map != kSubtract)) return {};
      const int deeper = op->map == kAdd && depth(operand(state, 1)) > depth(operand(state, 0)) ? 1 : 0;
      added.push_back({operand(state, 1 - deeper), op->map == kSubtract});
      state = operand(state, deeper);
      if (!graph_.read_once(state)) return {};
    }
    return {};
  }

  /// Step b follows step a if b's states are a's results, one each.
  void link_steps() {
    for (std::uint32_t b = 0; b < steps_.size(); ++b) {
      const std::vector<Ref>& states = steps_[b].states();
      if (steps_[b].sums.size() != states.size()) continue;
      std::vector<Sum> ordered;
      std::uint32_t a = kNone;
      for (const Ref state : states) {
        std::vector<Part> added;
        const Place place = source(state, added);
        if (place.step == kNone || place.step == b || (a != kNone && place.step != a)) break;
        a = place.step;
        Sum sum = steps_[a].sums[place.sum];
        sum.common.insert(sum.common.end(), added.begin(), added.end());
        sum.result = state;
        ordered.push_back(std::move(sum));
      }
      if (a == kNone || ordered.size() != states.size() || steps_[a].next != kNone || steps_[a].sums.size() != ordered.size()) continue;
      if (repeats(ordered)) continue;
      steps_[a].sums = std::move(ordered);
      steps_[a].next = b;
      steps_[b].has_previous = true;
      for (std::uint32_t k = 0; k < steps_[a].sums.size(); ++k) sum_of_.erase(t_.ops[steps_[a].sums[k].op].d);
    }
  }
  static bool repeats(const std::vector<Sum>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (sums[i].op == sums[j].op) return true;
    return false;
  }

  std::vector<Chain> find_chains() const {
    std::vector<Chain> chains;
    for (std::uint32_t s = 0; s < steps_.size(); ++s) {
      if (steps_[s].has_previous || steps_[s].next == kNone) continue;
      Chain chain;
      for (std::uint32_t at = s; at != kNone; at = steps_[at].next) chain.push_back(at);
      if (chain.size() >= kFewestSteps) chains.push_back(std::move(chain));
    }
    return chains;
  }

  // ---- order

  void ops_of(const Chain& chain, std::vector<ChainedOp>& all) const {
    for (const std::uint32_t s : chain)
      for (const Sum& sum : steps_[s].sums) all.push_back({sum.op, sum.result});
  }
  bool reads_late(const Chain& chain, const LateOps& late) const {
    const auto part = [&](const Part& p) { return late.has(p.ref); };
    if (std::ranges::any_of(steps_[chain[0]].states(), [&](Ref r) { return late.has(r); })) return true;
    for (const std::uint32_t s : chain)
      for (const Sum& sum : steps_[s].sums) {
        if (std::ranges::any_of(sum.common, part)) return true;
        for (const auto& e : sum.entries)
          if (std::ranges::any_of(e, part)) return true;
      }
    return false;
  }

  // ---- writing

  /// The sum of these old numbers; equal sums once.
  Ref total(std::vector<Part> all, Site site) {
    std::ranges::sort(all, {}, [](const Part& p) { return std::pair(p.minus, p.ref); });
    if (all.empty()) return out_.constant(0);
    if (all.size() == 1 && !all[0].minus) return out_.scalar(all[0].ref);
    const auto [it, inserted] = totals_.try_emplace(all);
    if (!inserted) return it->second;
    Ref sum = all[0].minus ? out_.constant(0) : out_.scalar(all[0].ref);
    for (std::size_t k = all[0].minus ? 0 : 1; k < all.size(); ++k)
      sum = out_.push_map(all[k].minus ? kSubtract : kAdd, {sum, out_.scalar(all[k].ref)}, site);
    return totals_[all] = sum;
  }

  void emit(const Chain& chain) {
    const std::size_t n = steps_[chain[0]].states().size();
    std::vector<Ref> start, transitions, additions;
    for (const Ref r : steps_[chain[0]].states()) start.push_back(out_.scalar(r));
    bool adds = false;
    for (const std::uint32_t s : chain) {
      const Site site = t_.sites[steps_[s].sums[0].op];
      for (std::size_t j = 0; j < n; ++j)
        for (const Sum& sum : steps_[s].sums) transitions.push_back(total(sum.entries[j], site));
      for (const Sum& sum : steps_[s].sums) adds |= !sum.common.empty(), additions.push_back(total(sum.common, site));
    }
    if (!adds) additions.clear();
    bool in_common = true;
    for (std::size_t i = n * n; i < transitions.size(); ++i) in_common &= transitions[i] == transitions[i - n * n];
    if (in_common) transitions.resize(n * n);
    const std::int32_t layout[] = {static_cast<std::int32_t>(n), static_cast<std::int32_t>(chain.size())};
    const KernelOperand operands[] = {out_.vector(start), out_.vector(transitions), out_.vector(additions),
                                   {.shape = Shape::array(2, Shape::scalar()), .ints = layout}};
    const Ref out = out_.push_call(kLogChain, "log_sum_exp", operands, t_.sites[steps_[chain[0]].sums[0].op]);
    for (std::size_t t = 0; t < chain.size(); ++t)
      for (std::size_t k = 0; k < n; ++k)
        out_.map_slot(steps_[chain[t]].sums[k].result, out + static_cast<std::uint32_t>(t * n + k));
  }

  Trace& t_;
  TraceGraph graph_;  // elements of a state come one by one, and from blocks
  std::vector<Step> steps_;
  std::map<Ref, Place> sum_of_;
  std::map<std::vector<Part>, Ref> totals_;
  Emitter out_;
};

}  // namespace

Change collect_log_chains(Trace& t, TraceGraph&) {
  const auto sums = static_cast<std::size_t>(std::ranges::count_if(t.ops, is_log_sum));
  const bool found = sums >= 2 * kFewestSteps && has_path(t, is_log_sum, kFewestSteps, Between::OtherOps) && Chains(t).run();
  return found ? Change::LeavesDeadOps : Change::None;
}

}  // namespace fermiac::ad
