// Checks our functions against files of known values (JSON lines; tests/battery/data/README.md describes the format): function
// values and gradients, plainly and through the tape; transforms; random number generators.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/selfcheck/names.h"

namespace fermiac::selfcheck {

struct OracleOutcome {
  enum class Kind { Passed, Failed, Unsupported } kind = Kind::Passed;
  std::string id;
  std::string function;
  std::string group;    // the case's kind: scalar, vector, edge, …
  std::string message;  // what differs: ours and the file's
  bool corrected = false;  // compared with what is known to be right, not with the file
};

struct OracleReport {
  std::vector<OracleOutcome> outcomes;
  std::size_t count(OracleOutcome::Kind kind) const;
  std::size_t corrected() const;  // passed, but only against the list of known differences
};

/// How a case that consists of Stan source (the `functions` and `call` fields) is evaluated; null: such cases are unsupported.
using SourceCase = std::function<OracleOutcome(std::string_view line)>;

/// One line of an oracle file. Where the file is known to be wrong, its case must fail and the corrected one pass.
OracleOutcome check_oracle_case(std::string_view line, const SourceCase& source = {});
OracleReport check_oracle_text(std::string_view text, const SourceCase& source = {});
/// Prints failing ids with both values and a last line `N passed, M failed, K unsupported`, with the number of known differences
/// among the first. True when nothing failed and
/// nothing is unsupported. Throws DataError when the file cannot be read.
bool check_oracle_file(const std::string& path, const std::function<void(std::string_view)>& out,
                       const SourceCase& source = {});

}  // namespace fermiac::selfcheck
