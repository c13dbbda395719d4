// Checks our functions against files of known values (JSON lines; tests/battery/data/README.md describes the format):
// functions in every way they can be evaluated (oracle_functions.cpp), transforms, random number generators, calls
// given as source.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "support/base/json_tree.h"
#include "tests/conformance/names.h"
#include "tests/conformance/oracle_report.h"

namespace fermiac::selfcheck {

/// One line of an oracle file. Where the file is known to be wrong, its case must fail and the corrected one pass.
OracleOutcome check_oracle_case(std::string_view line);
OracleReport check_oracle_text(std::string_view text);
/// Prints failing ids with both values and the summary, to `notes` the leniencies. True when nothing failed and nothing
/// is unsupported. Throws InputError when the file cannot be read.
bool check_oracle_file(const std::string& path, const std::function<void(std::string_view)>& out,
                       const std::function<void(std::string_view)>& notes);

// Oracle cases that consist of Stan source: a functions block, arguments, and an expression to evaluate.

/// Wraps the case in a program and runs it: the value as a generated quantity of data, the gradient of its weighted sum as
/// that of a log density whose parameters are the differentiated arguments.
OracleOutcome check_source_case(const JsonValue& c);

// Typed values of oracle cases as Stan source and as data.

/// `array[4] vector[2] name`: sizes from the value.
std::string declaration(const JsonValue& typed, const std::string& name);

}  // namespace fermiac::selfcheck
