// Outcomes of oracle cases, and their report.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/conformance/rules.h"

namespace fermiac::selfcheck {

struct OracleOutcome {
  /// FileWrong: differs from the file as the list of known differences says, and agrees with that.
  enum class Kind { Passed, Failed, Unsupported, FileWrong } kind = Kind::Passed;
  std::string id;
  std::string function;
  std::string group;    // the case's kind: scalar, vector, edge, …
  std::string message;  // what differs: ours and the file's; of a case that passes without being compared, why
  Rules rules = {};
};

struct OracleReport {
  std::vector<OracleOutcome> outcomes;
  std::size_t count(OracleOutcome::Kind kind) const;
  std::size_t count(Rule rule) const;  // of the cases that passed
  /// A line for each rule that some case needed, with their number, and for each case that was not compared, with the
  /// reason.
  std::string leniencies() const;
  /// `N passed, M failed, K unsupported, D where the file is wrong`
  std::string summary() const;
};

}  // namespace fermiac::selfcheck
