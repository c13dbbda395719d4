#include "interp/conditioning/weigher.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "interp/conditioning/enumeration.h"

namespace fermiac::interp {

/// Observed and missing numbers of data, one element each.
bool Weigher::takes_apart(const SiteCall& call) const {
  if (!conditioned_.any_missing() || call.site().kind != mir::SiteKind::Density) return false;
  bool observed = false, missing = false;
  for (const NumberName n : call.all_names()) {
    if (n < 0) return false;
    (conditioned_.state(n) == NumberState::Free ? missing : observed) = true;
  }
  return observed && missing;
}

void Weigher::visit(const SiteNode& node, Frame& f) {
  if (enumeration_ && enumeration_->involves(*node.parts.site)) {
    SiteCall call(node, f);
    const std::vector<std::uint32_t> others = enumeration_->take(call, f);
    return add(call, others, takes_apart(call));
  }
  if (conditioned_.all_count() && !conditioned_.any_missing()) return node.run_as_written(f);
  SiteCall call(node, f);
  if (conditioned_.leaves_out_some(call.site())) return add_others(call);
  const std::optional<double> common = conditioned_.common_weight(call);
  const bool apart = takes_apart(call);
  if (common == 1.0 && !apart) return node.run_as_written(f);
  if (common == 0.0) return;
  if (common && !apart) return run_weighed(node, f, *common);
  call.evaluate();
  std::vector<std::uint32_t> all(call.size());
  std::iota(all.begin(), all.end(), 0u);
  add(call, all, apart);
}

/// All but what is left out element by element.
void Weigher::add_others(SiteCall& call) const {
  call.evaluate();
  std::vector<std::uint32_t> others;
  for (std::size_t i = 0; i < call.size(); ++i)
    if (!conditioned_.leaves_out(call.key(i))) others.push_back(static_cast<std::uint32_t>(i));
  add(call, others, takes_apart(call));
}

constexpr std::size_t kFewWeights = 4, kFewElements = 16;

/// Many weights, each of few elements: one vector of densities times one of weights.
bool Weigher::add_one_by_one(SiteCall& call, const std::map<double, std::vector<std::uint32_t>>& alike) {
  std::vector<std::pair<std::uint32_t, double>> weighed;
  for (const auto& [weight, list] : alike)
    for (const std::uint32_t i : list)
      if (weight != 0) weighed.emplace_back(i, weight);
  std::ranges::sort(weighed);
  std::vector<std::uint32_t> elements;
  std::vector<double> weights;
  for (const auto& [i, weight] : weighed) elements.push_back(i), weights.push_back(weight);
  return alike.size() > kFewWeights && elements.size() < alike.size() * kFewElements && call.add_to_target(elements, weights);
}

/// Elements of one weight are recorded together.
void Weigher::add(SiteCall& call, std::span<const std::uint32_t> elements, bool apart) const {
  std::array<std::map<double, std::vector<std::uint32_t>>, 2> alike;  // observed, missing
  for (const std::uint32_t i : elements) {
    const std::span<const NumberName> names = call.names(i);
    const bool missing = apart && names.size() == 1 && conditioned_.state(names[0]) == NumberState::Free;
    alike[missing][conditioned_.weight(call.site(), names)].push_back(i);
  }
  for (const auto& part : alike)
    if (!add_one_by_one(call, part))
      for (const auto& [weight, list] : part) call.add_to_target(list, weight);
}

void Weigher::choose(const SiteNode& node, Frame& f) {
  if (enumeration_) enumeration_->choose(node, f);
  else node.run_as_written(f);
}

}  // namespace fermiac::interp
