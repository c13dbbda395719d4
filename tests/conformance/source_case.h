// Oracle cases that consist of Stan source: a functions block, arguments, and an expression to evaluate.
#pragma once

#include <string>

#include "support/base/json_tree.h"
#include "tests/conformance/oracle_report.h"

namespace fermiac::selfcheck {

/// Wraps the case in a program and runs it: the value as a generated quantity of data, the gradient of its weighted sum as
/// that of a log density whose parameters are the differentiated arguments.
OracleOutcome check_source_case(const JsonValue& c);

// Typed values of oracle cases as Stan source and as data.

/// `array[4] vector[2] name`: sizes from the value.
std::string declaration(const JsonValue& typed, const std::string& name);

}  // namespace fermiac::selfcheck
