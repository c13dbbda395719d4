// Sufficient statistics. A binomial, Bernoulli or beta density of theta = inv_logit(p), and the Jacobian of that
// transform, are all  a log theta + b log(1 - theta)  with a and b known from data; a Poisson, exponential or gamma density of
// lambda = exp(p) is  a log lambda - b lambda. So all of them that go into target become one op on p, whose a and b are
// sums over observations and densities (conjugate updating: Gelman et al., Bayesian Data Analysis, 3rd ed., §2.4). A sum
// over observations whose value is needed by itself becomes two multiply-adds.
//
// On the scale of p nothing saturates, where theta rounds to 0 or 1: the op is not finite there, and the program decides.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "autodiff/distributions/detail/law.h"
#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

using Scale = StatisticsScale;

/// Counts in the millions make large constants, which cancel large terms of p: beyond this size the digits lost show.
constexpr double kMostCancelled = 1e7;
/// A count that changes no sum, but asks for its logarithm.
constexpr double kNext = std::numeric_limits<double>::denorm_min();

constexpr std::string_view kInvLogit = "inv_logit", kExp = "exp";
constexpr SufficientStatistics kLogitJacobian = {0, Scale::Logit, false, [](const double*) { return StatisticsTerm{1, 1}; }};

/// The statistics of laws by map code, and the codes of the maps this pass writes.
struct Codes {
  std::vector<std::pair<MapCode, const SufficientStatistics*>> rows;
  MapCode inv_logit = find_map(kInvLogit), exp = find_map(kExp);
  MapCode log_theta = find_map("log_of_inv_logit__"), log1m_theta = find_map("log1m_of_inv_logit__"), log_lambda = find_map("log_of_exp__");
  std::array<MapCode, 2> terms = {find_map("logit_terms__"), find_map("log_terms__")};
  Codes() {
    rows.emplace_back(find_map("logit_jacobian__"), &kLogitJacobian);
    for (const Law* law : all_laws())
      for (const SufficientStatistics& s : law->statistics)
        rows.emplace_back(find_map(std::string(law->name) + (law->counts ? "_lpmf" : "_lpdf")), &s);
  }
  const SufficientStatistics* row(const Op& op) const {
    for (const auto& [code, r] : rows)
      if (op.map == code && op.ad_mask == 1u << r->operand) return r;
    return nullptr;
  }
};
const Codes& codes() {
  static const Codes kCodes;
  return kCodes;
}

/// What target gets from the numbers p, p + 1, …: Σ_i a_i (…) + b_i (…).
struct Term {
  Site site = kNoSite;
  std::vector<double> a, b;
};
using TermKey = std::tuple<Scale, Ref, std::uint32_t, Weight>;  // scale, p, how many, and what the terms count

class Statistics {
 public:
  Statistics(Trace& t, const TraceGraph& graph) : t_(t), graph_(graph), out_(t) {}

  void run() {
    find_worthwhile();
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      if (!rewrite(i)) out_.copy(i);
    for (const auto& [key, term] : terms_) emit(key, term);
    t_ = std::move(out_).finish();
  }

 private:
  struct Match {
    const SufficientStatistics* row;
    Ref p;
    std::uint32_t count;  // of p: 1 or op.n
    Weight weight;        // of a sink
    TermKey key() const { return {row->scale, p, count, weight}; }
  };

  static bool is_sink(const Op& op) { return op.kind == OpKind::MapSink || op.kind == OpKind::VectorSink; }

  std::optional<Match> match(const Op& op) const {
    if (!is_sink(op) && op.kind != OpKind::VectorReduce) return std::nullopt;
    const SufficientStatistics* row = codes().row(op);
    if (row == nullptr) return std::nullopt;
    for (int j = 0; j < map_arity(op.map); ++j)
      if (j != row->operand && !op.x[j].is_constant()) return std::nullopt;
    const std::uint32_t count = op.vector_mask >> row->operand & 1u ? op.n : 1;
    const std::optional<Ref> p = row->linked ? source(op.x[row->operand], count, *row) : op.x[row->operand];
    if (!p || (!is_sink(op) && (count > 1 || !row->linked))) return std::nullopt;
    return Match{row, *p, count, is_sink(op) ? op.weight() : kOne};
  }
  /// Where the numbers lie of which inv_logit or exp made `r`.
  std::optional<Ref> source(Ref r, std::uint32_t count, const SufficientStatistics& row) const {
    const Op* const link = graph_.maker(r);
    if (link == nullptr || (link->kind != OpKind::Map && link->kind != OpKind::Vector)) return std::nullopt;
    const bool covers = r + count <= link->d + link->n;
    if (!covers || link->map != (row.scale == Scale::Logit ? codes().inv_logit : codes().exp)) return std::nullopt;
    return link->kind == OpKind::Map ? link->x[0] : link->x[0] + (r - link->d);
  }

  /// A single density of p alone stays as it is; several, or several observations of one p, are worth it.
  void find_worthwhile() {
    for (const Op& op : t_.ops)
      if (const auto m = match(op); m && is_sink(op))
        worth_[m->key()] += op.n > m->count ? 2 : m->row->linked ? 2 : 1;
  }

  bool rewrite(std::uint32_t i) {
    const Op& op = t_.ops[i];
    const auto m = match(op);
    if (!m || (is_sink(op) && worth_[m->key()] < 2)) return false;
    Term term{.site = t_.sites[i], .a = std::vector<double>(m->count), .b = std::vector<double>(m->count)};
    collect(op, *m, term);
    const std::optional<double> at_zero = original(op, *m->row);
    if (!at_zero) return false;
    const double rest = *at_zero - value(*m, term);
    if (!(std::abs(rest) < kMostCancelled * op.n)) return false;
    if (!is_sink(op)) return emit_sum(op, *m, term, rest);
    out_.add_to_target(m->weight, rest);
    add(terms_[m->key()], term);
    return true;
  }

  void collect(const Op& op, const Match& m, Term& term) const {
    double x[kMaxMapArity] = {};
    for (std::uint32_t i = 0; i < op.n; ++i) {
      for (int j = 0; j < map_arity(op.map); ++j)
        if (j != m.row->operand) x[j] = numbers_at(t_, op.x[j])[op.vector_mask >> j & 1u ? i : 0];
      const StatisticsTerm c = m.row->term(x);
      add_count(term.a[m.count > 1 ? i : 0], c.a);
      add_count(term.b[m.count > 1 ? i : 0], c.b);
      if (m.row->linked) keep_refusals(op, m, x, term, m.count > 1 ? i : 0);
    }
  }
  /// A law that refuses 0, or 1 on the scale of log odds, needs the logarithm to be finite whatever its count.
  static void keep_refusals(const Op& op, const Match& m, double* x, Term& term, std::size_t k) {
    const auto refuses = [&](double end) { return x[m.row->operand] = end, !map_op(op.map).valid(x); };
    if (term.a[k] == 0 && refuses(0)) term.a[k] = kNext;
    if (term.b[k] == 0 && m.row->scale == Scale::Logit && refuses(1)) term.b[k] = kNext;
  }
  static void add(Term& sum, const Term& term) {
    if (sum.a.empty()) {
      sum = term;
      return;
    }
    for (std::size_t k = 0; k < sum.a.size(); ++k) add_count(sum.a[k], term.a[k]), add_count(sum.b[k], term.b[k]);
  }
  /// Terms that cancel still need their logarithm to be finite.
  static void add_count(double& sum, double count) {
    const bool any = sum != 0 || count != 0;
    sum += count;
    if (any && sum == 0) sum = kNext;
  }

  /// At p = 0. The row's operand is the only one that carries derivatives.
  std::optional<double> original(const Op& op, const SufficientStatistics& row) const {
    return sum_at(t_, op, op.keep, row.linked ? (row.scale == Scale::Logit ? 0.5 : 1) : 0);
  }
  static double value(const Match& m, const Term& term) {
    const MapOp& f = map_op(codes().terms[static_cast<std::size_t>(m.row->scale)]);
    double sum = 0;
    for (std::uint32_t k = 0; k < m.count; ++k) {
      const double x[kMaxMapArity] = {term.a[k], term.b[k], 0};
      sum += f.value(x, Keep::everything());
    }
    return sum;
  }

  void emit(const TermKey& key, const Term& term) {
    const auto& [scale, p, count, weight] = key;
    Op op{.kind = OpKind::MapSink, .ad_mask = 0b100, .map = codes().terms[static_cast<std::size_t>(scale)], .n = count};
    op.keep.ad = op.ad_mask;
    op.set_weight(weight);
    if (count == 1) {
      op.x[0] = out_.constant(term.a[0]);
      op.x[1] = out_.constant(term.b[0]);
      op.x[2] = out_.mapped(p);
    } else {
      op.kind = OpKind::VectorSink;
      op.vector_mask = 0b111;
      op.x[0] = out_.constant_block(term.a);
      op.x[1] = out_.constant_block(term.b);
      op.x[2] = out_.block(p, count);
    }
    out_.push(op, term.site);
  }

  /// a log theta + b log(1 - theta) + rest, or a log lambda - b lambda + rest, where the value itself is needed.
  bool emit_sum(const Op& op, const Match& m, const Term& term, double rest) {
    constexpr auto kFma = map_of(Hot::Fma);
    const bool logit = m.row->scale == Scale::Logit;
    const auto plus_log = [&](double count, MapCode log, Ref to) {  // zero times an infinite logarithm is NaN
      return count == 0 ? to : out_.push_map(kFma, {out_.constant(count), once(log, m.p), to}, term.site);
    };
    const auto minus_lambda = [&](double count, Ref to) {
      return count == 0 ? to : out_.push_map(kFma, {out_.constant(-count), out_.mapped(op.x[m.row->operand]), to}, term.site);
    };
    if (term.a[0] == 0 && term.b[0] == 0) return false;
    const Ref end = out_.constant(rest);
    const Ref second = logit ? plus_log(term.b[0], codes().log1m_theta, end) : minus_lambda(term.b[0], end);
    out_.map_slot(op.d, plus_log(term.a[0], logit ? codes().log_theta : codes().log_lambda, second));
    return true;
  }
  Ref once(MapCode code, Ref p) {
    const auto [it, inserted] = once_.try_emplace({code, p});
    if (inserted) it->second = out_.push_map(code, {out_.mapped(p)}, kNoSite);
    return it->second;
  }

  Trace& t_;
  const TraceGraph& graph_;
  std::map<TermKey, std::uint32_t> worth_;
  std::map<TermKey, Term> terms_;
  std::map<std::pair<MapCode, Ref>, Ref> once_;
  Emitter out_;
};

}  // namespace

Change collect_statistics(Trace& t, TraceGraph& graph) {
  const bool any = std::any_of(t.ops.begin(), t.ops.end(), [](const Op& op) { return codes().row(op) != nullptr; });
  if (!any) return Change::None;
  Statistics(t, graph).run();
  return Change::LeavesDeadOps;
}

}  // namespace fermiac::ad
