#include "cli/selfcheck/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/selfcheck/oracle_values.h"

namespace fermiac::selfcheck {

std::size_t OracleReport::count(OracleOutcome::Kind kind) const {
  return static_cast<std::size_t>(std::ranges::count(outcomes, kind, &OracleOutcome::kind));
}

std::size_t OracleReport::corrected() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcomes, [](const OracleOutcome& o) { return o.corrected && o.kind == OracleOutcome::Kind::Passed; }));
}

namespace {

OracleOutcome check_case(const oracle::Json& c, std::string_view line, const SourceCase& source) {
  try {
    if (c.find("functions") && c.find("call"))
      return source ? source(line) : oracle::unsupported(c, "needs the evaluation of Stan source");
    if (c.find("transform") || c.find("unconstrain")) return oracle::check_transform(c);
    if (oracle::text_of(c, "fn").ends_with("_rng")) return oracle::check_rng(c);
    return oracle::check_function(c);
  } catch (const DataError& e) {
    return oracle::failed(c, e.what());
  }
}

OracleOutcome check_corrected(const oracle::Json& c, const oracle::Json& known, std::string_view line,
                              const SourceCase& source) {
  OracleOutcome outcome = check_case(oracle::corrected(c, known), line, source);
  outcome.corrected = true;
  if (outcome.kind != OracleOutcome::Kind::Passed) outcome.message += " by the list of known differences";
  return outcome;
}

}  // namespace

OracleOutcome check_oracle_case(std::string_view line, const SourceCase& source) {
  oracle::Json c;
  if (const auto parsed = inference::parse_json(line, &c); !parsed)
    throw DataError("a line of the oracle file is not JSON: " + parsed.error);
  OracleOutcome outcome = check_case(c, line, source);
  const oracle::Json* known = oracle::known_difference(outcome.id);
  if (!known) return outcome;
  if (outcome.kind == OracleOutcome::Kind::Passed)
    return oracle::failed(c, "agrees with the file: take it off the list of known differences");
  return check_corrected(c, *known, line, source);
}

OracleReport check_oracle_text(std::string_view text, const SourceCase& source) {
  OracleReport report;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \r\t") != std::string_view::npos)
      report.outcomes.push_back(check_oracle_case(line, source));
  }
  return report;
}

bool check_oracle_file(const std::string& path, const std::function<void(std::string_view)>& out,
                       const SourceCase& source) {
  using Kind = OracleOutcome::Kind;
  std::ifstream file(path);
  if (!file) throw DataError(fmt::format("cannot read the oracle file '{}'", path));
  std::stringstream text;
  text << file.rdbuf();
  const OracleReport report = check_oracle_text(text.str(), source);
  for (const OracleOutcome& o : report.outcomes)
    if (o.kind == Kind::Failed) out(fmt::format("{}: {}\n", o.id, o.message));
  for (const OracleOutcome& o : report.outcomes)
    if (o.kind == Kind::Unsupported) out(fmt::format("{}: unsupported: {}\n", o.id, o.message));
  const std::string known =
      report.corrected() ? fmt::format(" ({} by the list of known differences)", report.corrected()) : "";
  out(fmt::format("{} passed{}, {} failed, {} unsupported\n", report.count(Kind::Passed), known,
                  report.count(Kind::Failed), report.count(Kind::Unsupported)));
  return report.count(Kind::Passed) == report.outcomes.size();
}

}  // namespace fermiac::selfcheck
