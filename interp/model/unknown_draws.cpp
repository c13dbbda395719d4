#include "interp/model/unknown_draws.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "interp/conditioning/enumeration.h"
#include "interp/model/log_prob_run.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/base/rng.h"

namespace fermiac::interp {
namespace {

/// What `use(enumeration, numbers)` makes of the sums at a point.
template <class Use>
EvalStatus with_sums(const EvaluationContext& context, std::span<const double> theta, Use use) {
  Enumeration enumeration(*context.conditioned(), {});
  UnknownsAlone first(enumeration);
  double target = 0;
  const auto sums = [&](Frame& f) { use(enumeration, *enumeration.numbers(f)); };
  return run_sites(context, theta, false, first, &target, {.enumeration = &enumeration, .sums = sums});
}

/// Draws ints without bounds, which nothing but their own distribution reads, by the weights of one value after the other.
class LeafDrawer final : public SiteHandler {
 public:
  LeafDrawer(const Conditioned& c, Rng& rng, std::vector<HeldNumbers>& own, const std::vector<std::size_t>& own_at)
      : c_(c), rng_(rng), own_(own), own_at_(own_at) {}

  void visit(const SiteNode& node, Frame& f) override {
    if (node.parts.site->kind != mir::SiteKind::Density) return;
    SiteCall call(node, f);
    const auto leaf = [&](NumberName n) {
      return std::ranges::any_of(c_.unknowns(), [n](const UnknownInt& u) { return u.number == n && !u.bounded; });
    };
    if (std::ranges::none_of(call.all_names(), leaf)) return;
    call.evaluate();
    for (std::size_t i = 0; i < call.size(); ++i)
      if (call.names(i).size() == 1 && leaf(call.names(i)[0])) draw(call, i, unknown(call.names(i)[0]), f);
  }

 private:
  const UnknownInt& unknown(NumberName n) const { return *std::ranges::find(c_.unknowns(), n, &UnknownInt::number); }

  void draw(SiteCall& call, std::size_t i, const UnknownInt& u, Frame& f) {
    constexpr std::int32_t kMost = 10'000'000;
    double rest = rng_.uniform();
    for (std::int32_t k = 0; k < kMost; ++k) {
      const std::int32_t x = u.falls ? u.low - k : u.rises ? u.low + k : (k % 2 == 0 ? k / 2 : -(k + 1) / 2);
      if ((rest -= std::exp(log_weight(call, i, x))) > 0) {
        f.m.poll();
        continue;
      }
      put_number(own_[own_at_[u.position]].value, u.offset, x);
      return;
    }
    const NumberName n = u.number;
    throw ad::DomainError(fmt::format("no value of {} was found that its distribution allows", c_.numbers().text({&n, 1})));
  }

  static double log_weight(SiteCall& call, std::size_t i, std::int32_t x) {
    try {
      return call.log_density_at(i, x);
    } catch (const ad::DomainError&) {  // outside of the support
      return -std::numeric_limits<double>::infinity();
    }
  }

  const Conditioned& c_;
  Rng& rng_;
  std::vector<HeldNumbers>& own_;
  const std::vector<std::size_t>& own_at_;
};

}  // namespace

EvalStatus UnknownDraws::draw(std::span<const double> theta, Rng& rng) {
  const Conditioned& c = *context_.conditioned();
  std::set<std::size_t> positions;
  for (const UnknownInt& u : c.unknowns()) positions.insert(u.position);
  own_.clear();
  own_.reserve(positions.size());
  held_ = c.held();
  std::vector<std::size_t> own_at(held_.size());
  for (const std::size_t position : positions) {
    own_at[position] = own_.size();
    own_.push_back(*held_[position]);
    held_[position] = &own_.back();
  }
  const EvalStatus status = with_sums(context_, theta, [&](const Enumeration& e, const Eliminated& numbers) {
    const std::vector<std::uint32_t> values = numbers.draw([&] { return rng.uniform(); });
    for (std::size_t k = 0; k < values.size(); ++k) {
      const UnknownInt& u = c.unknowns()[e.summed()[k]];
      put_number(own_[own_at[u.position]].value, u.offset, static_cast<double>(u.low) + values[k]);
    }
  });
  if (!status || std::ranges::all_of(c.unknowns(), &UnknownInt::bounded)) return status;
  LeafDrawer leaves(c, rng, own_, own_at);
  double target = 0;
  return run_sites(context_, theta, false, leaves, &target, {.held = &held_});
}

EvalStatus unknown_marginals(const EvaluationContext& context, std::span<const double> theta, UnknownMarginals* out) {
  return with_sums(context, theta, [&](const Enumeration& e, const Eliminated& numbers) {
    *out = {e.summed(), numbers.marginals()};
  });
}

}  // namespace fermiac::interp
