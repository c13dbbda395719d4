// Leaves out lines as long as the same difference remains (delta debugging; Zeller, Hildebrandt, "Simplifying and
// isolating failure-inducing input", 2002). What does not parse any more counts as no difference.
#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/fuzz/programs/differential.h"

namespace fermiac::fuzz {
namespace {

constexpr double kSecondsPerAttempt = 5;

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
  std::istringstream in(text);
  Lines out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string joined(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

/// Without `count` lines from `first`; without the brace that closes what they open, if `unwrap`.
Lines without(const Lines& lines, std::size_t first, std::size_t count, bool unwrap) {
  Lines out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (i < first || i >= first + count) out.push_back(lines[i]);
  if (!unwrap || lines[first].empty() || lines[first].back() != '{') return out;
  const std::string closing = lines[first].substr(0, lines[first].find_first_not_of(' ')) + "}";
  const auto end = std::find(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), closing);
  if (end != out.end()) out.erase(end);
  return out;
}

}  // namespace

GeneratedProgram shrunk(const GeneratedProgram& program, const Difference& difference, CheckOptions options) {
  if (options.seconds <= 0) options.seconds = kSecondsPerAttempt;
  Lines lines = split(program.source);
  const auto still = [&](const Lines& candidate) {
    const auto now = first_difference({joined(candidate), program.data}, options);
    return now && now->check == difference.check;
  };
  bool changed = true;
  while (std::exchange(changed, false))
    for (std::size_t size = std::max<std::size_t>(1, lines.size() / 2); size >= 1; size /= 2)
      for (std::size_t first = lines.size(); first-- > 0;)
        for (const bool unwrap : {false, true}) {
          if (unwrap && size > 1) continue;
          if (first + size > lines.size()) continue;
          if (const Lines candidate = without(lines, first, size, unwrap); still(candidate))
            lines = candidate, changed = true;
        }
  return {joined(lines), program.data};
}

}  // namespace fermiac::fuzz
