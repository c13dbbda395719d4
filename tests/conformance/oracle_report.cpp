#include "tests/conformance/oracle_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace fermiac::selfcheck {

using Kind = OracleOutcome::Kind;

std::size_t OracleReport::count(Kind kind) const {
  return static_cast<std::size_t>(std::ranges::count(outcomes, kind, &OracleOutcome::kind));
}

std::size_t OracleReport::count(Rule rule) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcomes, [rule](const OracleOutcome& o) { return o.kind == Kind::Passed && o.rules.has(rule); }));
}

std::string OracleReport::leniencies() const {
  std::string text;
  for (std::size_t k = 0; k < static_cast<std::size_t>(Rule::kCount); ++k) {
    const auto rule = static_cast<Rule>(k);
    if (const std::size_t n = count(rule))
      text += fmt::format("{:>6} {}: {}\n", n, rule_text(rule).name, rule_text(rule).meaning);
  }
  for (const OracleOutcome& o : outcomes)
    if (o.kind == Kind::Passed && !o.message.empty()) text += fmt::format("{}: not compared: {}\n", o.id, o.message);
  return text;
}

std::string OracleReport::summary() const {
  return fmt::format("{} passed, {} failed, {} unsupported, {} where the file is wrong", count(Kind::Passed),
                     count(Kind::Failed), count(Kind::Unsupported), count(Kind::FileWrong));
}

}  // namespace fermiac::selfcheck
