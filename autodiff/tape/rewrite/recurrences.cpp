// Linear recurrences: autoregressions, moving averages, GARCH variances, smoothing, learning from prediction errors, random walks. A
// loop over such a step is recorded as
//
//   x' = fma(a, x, c)     or   d = x - m, x' = fma(a, d, c)     or   e = y - x, x' = fma(a, e, x)     or   x' = fma(s, z, x),
//
// all of them x' = (k + a) x + Σ c: one coefficient in common, and terms that do not depend on the recurrence. This pass puts one kernel
// (linalg/linear_recurrence.h) in the place of such steps, and writes the terms out in front of it, where grouping finds lanes.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/has_path.h"
#include "autodiff/tape/rewrite/late_ops.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kFewestSteps = 16;
constexpr int kMostOps = 3;  // from one number of the recurrence to the next
constexpr std::size_t kMostTerms = 4;

/// ± x, or ± x y.
struct Term {
  bool minus = false;
  Ref x, y = Ref::none();
  bool is_product() const { return y != Ref::none(); }
};

/// What a step multiplies by: whole + sign * factor.
struct Slope {
  int whole = 0, sign = 0;
  Ref factor;
  bool any() const { return whole != 0 || sign != 0; }
  friend bool operator==(const Slope&, const Slope&) = default;
};

/// slope * (the number before) + the terms.
struct Affine {
  Slope slope;
  std::array<Term, kMostTerms> all;
  std::size_t count = 0;
  std::span<Term> terms() { return std::span(all).first(count); }
  std::span<const Term> terms() const { return std::span(all).first(count); }
};
using Step = std::optional<Affine>;

Step leaf(Ref r) {
  Affine out;
  out.all[0].x = r, out.count = 1;
  return out;
}

Affine negated(Affine e) {
  e.slope.whole = -e.slope.whole, e.slope.sign = -e.slope.sign;
  for (Term& t : e.terms()) t.minus = !t.minus;
  return e;
}
Step sum(const Step& a, const Step& b) {
  if (!a || !b || (a->slope.sign != 0 && b->slope.sign != 0) || a->count + b->count > kMostTerms) return std::nullopt;
  Affine out = *a;
  out.slope.whole += b->slope.whole;
  if (b->slope.sign != 0) out.slope.sign = b->slope.sign, out.slope.factor = b->slope.factor;
  std::ranges::copy(b->terms(), out.all.begin() + static_cast<std::ptrdiff_t>(out.count));
  out.count += b->count;
  return out;
}
Step product(const Step& e, Ref factor) {
  if (!e || e->slope.sign != 0 || e->slope.whole * e->slope.whole > 1) return std::nullopt;
  Affine out = *e;
  out.slope = {0, e->slope.whole, e->slope.whole == 0 ? Ref() : factor};
  for (Term& t : out.terms()) {
    if (t.is_product()) return std::nullopt;
    t.y = factor;
  }
  return out;
}

/// Sums and products of scalars.
bool is_affine(const Op& op) {
  constexpr std::array kMaps = {map_of(Hot::Add), map_of(Hot::Subtract), map_of(Hot::Minus), map_of(Hot::Multiply), map_of(Hot::Fma)};
  return op.kind == OpKind::Map && std::ranges::find(kMaps, op.map) != kMaps.end();
}

struct Recurrence {
  Slope slope;
  int period = 0;  // ops from one number to the next
  Ref start;
  std::vector<Ref> numbers;
};

class Recurrences {
 public:
  explicit Recurrences(Trace& t) : t_(t), graph_(t, Gathers::Names), out_(t) {}

  bool run() {
    std::vector<Recurrence> found = chosen(candidates());
    if (found.empty()) return false;
    const auto ops = [&](const Recurrence& r, std::vector<ChainedOp>& all) {
      if (scalar_maker(r.start) != TraceGraph::kNone) all.push_back({ChainedOp::kNoOp, r.start});
      for (const Ref x : r.numbers) all.push_back({graph_.producer(x), x});
    };
    const LateOps late = drop_entangled(t_, found, ops, [&](const Recurrence& r, const LateOps& late_ops) { return reads_late(r, late_ops); });
    if (found.empty()) return false;
    replace_chains(t_, out_, found, late, [&](const Recurrence& r) { emit(r); });
    t_ = std::move(out_).finish();
    return true;
  }

 private:
  /// The op that makes r, if it is affine.
  const Op* affine_op(Ref r) const {
    const Op* const op = graph_.maker(r);
    return op != nullptr && is_affine(*op) ? op : nullptr;
  }
  Ref operand(const Op& op, int j) const { return graph_.name(op.x[j]); }
  /// The operand that most ops come before.
  Ref deepest(const Op& op) const {
    Ref best = operand(op, 0);
    for (int j = 1; j < map_arity(op.map); ++j)
      if (graph_.depth(operand(op, j)) > graph_.depth(best)) best = operand(op, j);
    return best;
  }

  // ---- one step

  /// r as a step from `state`, at most `ops` ops away.
  Step step(Ref r, Ref state, int ops) const {
    if (r == state) return Affine{.slope = {.whole = 1}};
    const Op* const op = ops > 0 && graph_.depth(r) > graph_.depth(state) ? affine_op(r) : nullptr;
    if (op == nullptr) return leaf(r);
    const Step out = step_of(*op, state, ops - 1);
    return out && !out->slope.any() ? leaf(r) : out;
  }
  Step step_of(const Op& op, Ref state, int ops) const {
    const auto of = [&](int j) { return step(operand(op, j), state, ops); };
    if (op.map == map_of(Hot::Add)) return sum(of(0), of(1));
    if (op.map == map_of(Hot::Minus)) return minus(of(0));
    if (op.map == map_of(Hot::Subtract)) return sum(of(0), minus(of(1)));
    const Step first = multiplied(op, of(0), of(1));
    return op.map == map_of(Hot::Fma) ? sum(first, of(2)) : first;
  }
  static Step minus(const Step& e) { return e ? Step(negated(*e)) : std::nullopt; }
  Step multiplied(const Op& op, const Step& a, const Step& b) const {
    if (!a || !b || (a->slope.any() && b->slope.any())) return std::nullopt;
    return b->slope.any() ? times(b, operand(op, 0)) : times(a, operand(op, 1));
  }
  /// Each step may have changed the sign of the coefficient by itself.
  Step times(const Step& e, Ref factor) const {
    const Op* const op = affine_op(factor);
    return op != nullptr && op->map == map_of(Hot::Minus) ? minus(product(e, operand(*op, 0))) : product(e, factor);
  }
  Step step(const Recurrence& r, std::size_t t) const { return step(r.numbers[t], t == 0 ? r.start : r.numbers[t - 1], r.period); }

  // ---- all of them

  /// From one number to the next, and how many steps of this slope end there.
  struct Link {
    Ref before;
    Slope slope;
    std::uint32_t length = 0;
    bool goes_on = false;
  };
  using Links = std::vector<Link>;  // by op
  Link& of(Links& links, Ref r) const { return links[graph_.producer(r)]; }
  const Link& of(const Links& links, Ref r) const { return links[graph_.producer(r)]; }

  void link(Ref r, Ref state, int period, Links& links) const {
    const Step s = step(r, state, period);
    if (!s || !s->slope.any() || (s->slope.whole != 0 && s->slope.sign != 0 && s->slope.whole != 1)) return;
    Link& before = of(links, state);
    const bool same = before.length > 0 && before.slope == s->slope;
    before.goes_on = before.goes_on || same;
    of(links, r) = {state, s->slope, same ? before.length + 1 : 1};
  }
  Recurrence ending(Ref last, const Links& links, int period) const {
    Recurrence out{of(links, last).slope, period, last, std::vector<Ref>(of(links, last).length)};
    for (std::size_t t = out.numbers.size(); t-- > 0; out.start = of(links, out.start).before) out.numbers[t] = out.start;
    return out;
  }
  std::vector<Recurrence> candidates() const {
    std::vector<Recurrence> all;
    for (int period = 1; period <= kMostOps; ++period) {
      Links links(t_.ops.size());
      for (const Op& op : t_.ops) {
        const Ref state = is_affine(op) ? before(op, period) : Ref::none();
        if (state != Ref::none()) link(op.d, state, period, links);
      }
      for (std::size_t i = 0; i < links.size(); ++i)
        if (links[i].length >= kFewestSteps && !links[i].goes_on) all.push_back(ending(t_.ops[i].d, links, period));
    }
    std::erase_if(all, [&](const Recurrence& r) { return reads_itself(r); });
    return all;
  }
  /// The number that so many ops lead to op from, each the deepest operand of the next, if sums and products make that, too.
  Ref before(const Op& op, int period) const {
    const Op* at = &op;
    Ref state;
    for (int k = 0; k < period && at != nullptr; ++k) {
      state = deepest(*at);
      at = affine_op(state);
    }
    return at != nullptr ? state : Ref::none();
  }
  /// A term is one of its own numbers, or made from one: what came out of the errors of a recurrence is no recurrence of errors.
  bool reads_itself(const Recurrence& r) const {
    const std::set<Ref> own(r.numbers.begin(), r.numbers.end());
    const auto made = [&](Ref x) {
      const Op* const op = affine_op(x);
      bool from_own = own.contains(x);
      for (int j = 0; op != nullptr && j < map_arity(op->map); ++j) from_own = from_own || own.contains(operand(*op, j));
      return from_own;
    };
    return any_term(r, [&](const Term& c) { return made(c.x) || (c.is_product() && made(c.y)); });
  }
  template <class Test>
  bool any_term(const Recurrence& r, Test test) const {
    for (std::size_t t = 0; t < r.numbers.size(); ++t) {
      const Step s = step(r, t);
      if (std::ranges::any_of(s->terms(), test)) return true;
    }
    return false;
  }

  /// The longest first, each number in one of them.
  std::vector<Recurrence> chosen(std::vector<Recurrence> all) const {
    std::ranges::stable_sort(all, std::greater(), [](const Recurrence& r) { return r.numbers.size(); });
    std::vector<bool> taken(t_.values.size(), false);
    std::erase_if(all, [&](const Recurrence& r) {
      if (std::ranges::any_of(r.numbers, [&](Ref x) { return taken[x.index()]; })) return true;
      for (std::size_t t = 0; t < r.numbers.size(); ++t) take(r.numbers[t], t == 0 ? r.start : r.numbers[t - 1], r.period, taken);
      return false;
    });
    return all;
  }
  /// What stands between two numbers belongs to the recurrence, too.
  void take(Ref r, Ref state, int ops, std::vector<bool>& taken) const {
    const Op* const op = r != state && ops > 0 && graph_.depth(r) > graph_.depth(state) ? affine_op(r) : nullptr;
    if (op == nullptr) return;
    taken[r.index()] = true;
    for (int j = 0; j < map_arity(op->map); ++j) take(operand(*op, j), state, ops - 1, taken);
  }
  /// The op that makes r alone.
  std::uint32_t scalar_maker(Ref r) const {
    const Op* const op = graph_.maker(r);
    return op != nullptr && op->kind == OpKind::Map ? graph_.producer(r) : TraceGraph::kNone;
  }
  bool reads_late(const Recurrence& r, const LateOps& late) const {
    const std::uint32_t made = scalar_maker(r.start);
    if (made != TraceGraph::kNone ? late.has_op(made) : late.has(r.start)) return true;
    if (r.slope.sign != 0 && late.has(r.slope.factor)) return true;
    return any_term(r, [&](const Term& c) { return late.has(c.x) || (c.is_product() && late.has(c.y)); });
  }

  // ---- writing

  Ref coefficient(const Slope& s, Site site) {
    if (s.sign == 0) return out_.constant(s.whole);
    const Ref factor = out_.scalar(s.factor);
    if (s.whole != 0) return out_.push_map(map_of(s.sign > 0 ? Hot::Add : Hot::Subtract), {out_.constant(s.whole), factor}, site);
    return s.sign > 0 ? factor : out_.push_map(map_of(Hot::Minus), {factor}, site);
  }
  /// Equal products once.
  Ref value(const Term& term, Site site) {
    if (!term.is_product()) return out_.scalar(term.x);
    const auto [it, fresh] = products_.try_emplace(std::pair(term.x, term.y));
    if (fresh) it->second = out_.push_map(map_of(Hot::Multiply), {out_.scalar(term.x), out_.scalar(term.y)}, site);
    return it->second;
  }
  Ref total(Affine step, Site site) {
    const std::span<Term> terms = step.terms();
    std::ranges::stable_sort(terms, {}, &Term::minus);
    if (terms.empty()) return out_.constant(0);
    Ref sum = value(terms[0], site);
    if (terms[0].minus) sum = out_.push_map(map_of(Hot::Minus), {sum}, site);
    for (std::size_t k = 1; k < terms.size(); ++k)
      sum = out_.push_map(map_of(terms[k].minus ? Hot::Subtract : Hot::Add), {sum, value(terms[k], site)}, site);
    return sum;
  }
  void emit(const Recurrence& r) {
    const auto site = [&](std::size_t t) { return t_.sites[graph_.producer(r.numbers[t])]; };
    std::vector<Ref> additions;
    for (std::size_t t = 0; t < r.numbers.size(); ++t) additions.push_back(total(*step(r, t), site(t)));
    const auto scalar = [](Ref x) { return KernelOperand{.shape = Shape::scalar(), .ref = x, .autodiff = !x.is_constant()}; };
    const KernelOperand operands[] = {scalar(coefficient(r.slope, site(0))), scalar(out_.scalar(r.start)), out_.vector(additions)};
    const Ref out = out_.push_call(*find_kernel("linear_recurrence__"), "recurrence", operands, site(0));
    // Who comes behind the kernel may read the start there, too: with the other numbers, in one piece.
    out_.set_value(out, *numbers_at(t_, r.start));
    if (scalar_maker(r.start) != TraceGraph::kNone) out_.map_slot(r.start, out);
    for (std::uint32_t t = 0; t < r.numbers.size(); ++t) out_.map_slot(r.numbers[t], out + (t + 1));
  }

  Trace& t_;
  TraceGraph graph_;  // numbers come one by one, and from blocks
  std::map<std::pair<Ref, Ref>, Ref> products_;
  Emitter out_;
};

}  // namespace

Change collect_recurrences(Trace& t, TraceGraph&) {
  const auto steps = std::ranges::count_if(t.ops, is_affine);
  const bool found = static_cast<std::size_t>(steps) >= kFewestSteps && has_path(t, is_affine, kFewestSteps, Between::Nothing) && Recurrences(t).run();
  return found ? Change::LeavesDeadOps : Change::None;
}

}  // namespace fermiac::ad
