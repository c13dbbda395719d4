// Long sums written as loops: s += term, over and over, is a chain of additions, one after the other. The terms do not
// depend on each other: added up as a vector they can be computed as vectors too (group.cpp), and a sum that goes
// straight into target is a list of terms there, densities among them as sinks.
#include <algorithm>
#include <vector>

#include "autodiff/tape/emit.h"
#include "autodiff/tape/hot_ops.h"
#include "autodiff/tape/passes.h"
#include "autodiff/tape/storage.h"

namespace fermiac::ad {
namespace {

constexpr auto kAdd = static_cast<MapCode>(Hot::Add);
constexpr std::uint32_t kFewestTerms = 16;  // below, additions are as quick

class Sums {
 public:
  explicit Sums(Trace& t)
      : t_(t),
        producer_(t.values.size(), kNone),
        uses_(t.values.size(), 0),
        length_(t.values.size(), 1),
        reader_(t.values.size(), kNone),
        out_(t) {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) note(i);
  }

  void run() {
    find_chains();
    if (chains_.empty()) return;
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) emit(i);
    t_ = std::move(out_).finish();
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  enum class Role : std::uint8_t { Plain, Inner, Root, Target, Sink };
  using Chain = std::vector<Ref>;  // the terms

  void note(std::uint32_t i) {
    const Op& op = t_.ops[i];
    for_each_operand(t_, op, [&](Ref r, std::uint32_t n) {
      if (is_constant(r)) return;
      for (std::uint32_t k = 0; k < n; ++k) ++uses_[r + k], reader_[r + k] = i;
    });
    if (op.kind != OpKind::Map) return;
    producer_[op.d] = i;
    if (op.map == kAdd) length_[op.d] = length_of(spine(op)) + 1;
  }
  bool is_addition(Ref r) const { return !is_constant(r) && producer_[r] != kNone && t_.ops[producer_[r]].map == kAdd; }
  std::uint32_t length_of(Ref r) const { return is_constant(r) ? 1 : length_[r]; }
  /// The operand that is the sum so far.
  Ref spine(const Op& op) const { return op.x[length_of(op.x[1]) > length_of(op.x[0]) ? 1 : 0]; }

  void find_chains() {
    roles_.assign(t_.ops.size(), Role::Plain);
    chain_of_.assign(t_.ops.size(), kNone);
    for (std::uint32_t i = static_cast<std::uint32_t>(t_.ops.size()); i-- > 0;)
      if (roles_[i] == Role::Plain && t_.ops[i].kind == OpKind::Map && t_.ops[i].map == kAdd) take_chain(i);
  }
  /// Goes down from a last addition as long as nothing else reads the sum so far.
  void take_chain(std::uint32_t root) {
    std::vector<std::uint32_t> additions{root};
    std::vector<Ref> terms;
    for (;;) {
      const Op& op = t_.ops[additions.back()];
      const Ref so_far = spine(op);
      terms.push_back(so_far == op.x[0] ? op.x[1] : op.x[0]);
      if (!is_addition(so_far) || uses_[so_far] != 1) {
        terms.push_back(so_far);
        break;
      }
      additions.push_back(producer_[so_far]);
    }
    if (terms.size() < kFewestTerms) return;
    keep(root, additions, {terms.rbegin(), terms.rend()});
  }
  void keep(std::uint32_t root, const std::vector<std::uint32_t>& additions, std::vector<Ref> terms) {
    const auto number = static_cast<std::uint32_t>(chains_.size());
    for (const std::uint32_t i : additions) roles_[i] = Role::Inner;
    const std::uint32_t reader = uses_[t_.ops[root].d] == 1 ? reader_[t_.ops[root].d] : kNone;
    const bool in_target = reader != kNone && t_.ops[reader].kind == OpKind::Target && t_.ops[reader].n == 1 &&
                           t_.ops[reader].ad_mask == 1;  // else it is the result of a function
    chains_.push_back(std::move(terms));
    const std::uint32_t at = in_target ? reader : root;
    roles_[at] = in_target ? Role::Target : Role::Root;
    chain_of_[at] = number;
    if (in_target) mark_sinks(chains_.back());
  }
  void mark_sinks(const Chain& chain) {
    for (const Ref r : chain)
      if (!is_constant(r) && uses_[r] == 1 && producer_[r] != kNone && roles_[producer_[r]] == Role::Plain &&
          map_op(t_.ops[producer_[r]].map).density)
        roles_[producer_[r]] = Role::Sink;
  }

  void emit(std::uint32_t i) {
    switch (roles_[i]) {
      case Role::Plain:
        return out_.copy(i);
      case Role::Inner:
        return;
      case Role::Root:
        return emit_sum(i);
      case Role::Target:
        return emit_terms(i);
      case Role::Sink: {
        Op op = t_.ops[i];
        op.kind = OpKind::MapSink;
        out_.copy_as(i, op);
        return;
      }
    }
  }
  void emit_sum(std::uint32_t i) {
    std::vector<Ref> terms;
    double constant = 0;
    for (const Ref r : chains_[chain_of_[i]])
      if (is_constant(r))
        constant += *numbers_at(t_, r);
      else
        terms.push_back(r);
    const Ref all = t_.ops[i].d, sum = push_sum(terms, t_.sites[i]);
    out_.map_slot(all, sum);
    if (constant == 0) return;
    out_.set_value(sum, t_.values[all] - constant);
    out_.map_slot(all, out_.push_map(kAdd, {sum, out_.constant(constant)}, t_.sites[i]));
  }
  Ref push_sum(const std::vector<Ref>& terms, Site site) {
    Op op{.kind = OpKind::VectorReduce, .vector_mask = 1, .ad_mask = 1, .map = kAdd};
    op.keep.ad = op.ad_mask;
    op.n = static_cast<std::uint32_t>(terms.size());
    op.x[0] = out_.block(terms);
    op.x[1] = out_.constant(0);
    op.d = out_.allocate(1);
    out_.push(op, site);
    return op.d;
  }
  void emit_terms(std::uint32_t i) {
    for (const Ref r : chains_[chain_of_[i]]) {
      if (is_constant(r)) {
        out_.add_to_target(*numbers_at(t_, r));
        continue;
      }
      if (producer_[r] != kNone && roles_[producer_[r]] == Role::Sink) continue;
      Op op{.kind = OpKind::Target, .ad_mask = 1};
      op.x[0] = out_.mapped(r);
      out_.push(op, t_.sites[i]);
    }
  }

  Trace& t_;
  std::vector<std::uint32_t> producer_, uses_, length_, reader_, chain_of_;
  std::vector<Role> roles_;
  std::vector<Chain> chains_;
  Emitter out_;
};

}  // namespace

void collect_sums(Trace& t) {
  const auto is_addition = [](const Op& op) { return op.kind == OpKind::Map && op.map == kAdd; };
  if (std::count_if(t.ops.begin(), t.ops.end(), is_addition) + 1 < kFewestTerms) return;
  Sums(t).run();
}

}  // namespace fermiac::ad
