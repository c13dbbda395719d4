#include <algorithm>

#include "autodiff/distributions/defs/all.h"

namespace fermiac::ad {
namespace {

#define FERMIAC_UNIVARIATE(name, Name) &laws::k##Name,
#define FERMIAC_OTHER(Name) &laws::k##Name,
constexpr const Law* kLaws[] = {FERMIAC_LAWS_WITH_DRAWS(FERMIAC_UNIVARIATE) FERMIAC_OTHER_LAWS(FERMIAC_OTHER)};
#undef FERMIAC_UNIVARIATE
#undef FERMIAC_OTHER

}  // namespace

std::span<const Law* const> all_laws() { return kLaws; }

const Law* find_law(std::string_view name) {
  const auto* at = std::ranges::find(kLaws, name, &Law::name);
  return at == std::end(kLaws) ? nullptr : *at;
}

}  // namespace fermiac::ad
