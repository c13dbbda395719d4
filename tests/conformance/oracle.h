// Checks our functions against files of known values (JSON lines; tests/battery/data/README.md describes the format):
// functions in every way they can be evaluated (oracle_functions.cpp), transforms, random number generators, calls
// given as source.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/names.h"
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

/// One line of an oracle file. Where the file is known to be wrong, its case must fail and the corrected one pass.
OracleOutcome check_oracle_case(std::string_view line);
OracleReport check_oracle_text(std::string_view text);
/// Prints failing ids with both values and the summary, to `notes` the leniencies. True when nothing failed and nothing
/// is unsupported. Throws DataError when the file cannot be read.
bool check_oracle_file(const std::string& path, const std::function<void(std::string_view)>& out,
                       const std::function<void(std::string_view)>& notes);

}  // namespace fermiac::selfcheck
