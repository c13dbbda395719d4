// Order of warnings.
#include <algorithm>

#include "mir/warnings/warnings.h"

namespace fermiac::mir {

std::vector<Warning> sorted_once(std::vector<Warning> warnings, const SourceMap& sources) {
  std::ranges::sort(warnings, [&](const Warning& a, const Warning& b) {
    if (!(a.span.begin == b.span.begin)) return sources.before(a.span.begin, b.span.begin);
    if (!(a.span.end == b.span.end)) return sources.before(a.span.end, b.span.end);
    return a.text < b.text;
  });
  const auto same = [](const Warning& a, const Warning& b) { return a.span == b.span && a.text == b.text; };
  warnings.erase(std::unique(warnings.begin(), warnings.end(), same), warnings.end());
  return warnings;
}

}  // namespace fermiac::mir
