#include "tests/conformance/oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/base/text_file.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck {

using Kind = OracleOutcome::Kind;

namespace {

OracleOutcome check_case(const oracle::Json& c) {
  try {
    if (c.find("functions") && c.find("call")) return check_source_case(c);
    if (c.find("transform") || c.find("unconstrain")) return oracle::check_transform(c);
    if (oracle::text_of(c, "fn").ends_with("_rng")) return oracle::check_rng(c);
    return oracle::check_function(c);
  } catch (const InputError& e) {
    return oracle::failed(c, e.what());
  }
}

OracleOutcome check_corrected(const oracle::Json& c, const oracle::Json& known) {
  OracleOutcome outcome = check_case(oracle::corrected(c, known));
  if (outcome.kind == Kind::Passed)
    outcome.kind = Kind::FileWrong;
  else
    outcome.message += " by the list of known differences";
  return outcome;
}

}  // namespace

OracleOutcome check_oracle_case(std::string_view line) {
  oracle::Json c;
  if (const Status problem = parse_json(line, &c); !problem)
    throw InputError("a line of the oracle file is not JSON: " + problem.message);
  OracleOutcome outcome = check_case(c);
  const oracle::Json* known = oracle::known_difference(outcome.id);
  if (!known) return outcome;
  if (outcome.kind == Kind::Passed)
    return oracle::failed(c, "agrees with the file: take it off the list of known differences");
  return check_corrected(c, *known);
}

OracleReport check_oracle_text(std::string_view text) {
  OracleReport report;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \r\t") != std::string_view::npos) report.outcomes.push_back(check_oracle_case(line));
  }
  return report;
}

bool check_oracle_file(const std::string& path, const std::function<void(std::string_view)>& out,
                       const std::function<void(std::string_view)>& notes) {
  const TextFile file = read_plain_text(path);
  if (file.state != TextFile::State::Read) throw InputError(fmt::format("cannot read the oracle file '{}'", path));
  const OracleReport report = check_oracle_text(file.text);
  for (const OracleOutcome& o : report.outcomes)
    if (o.kind == Kind::Failed) out(fmt::format("{}: {}\n", o.id, o.message));
  for (const OracleOutcome& o : report.outcomes)
    if (o.kind == Kind::Unsupported) out(fmt::format("{}: unsupported: {}\n", o.id, o.message));
  notes(report.leniencies());
  out(report.summary() + "\n");
  return report.count(Kind::Failed) + report.count(Kind::Unsupported) == 0;
}

}  // namespace fermiac::selfcheck
