// Oracle cases that consist of Stan source: a functions block, arguments, and an expression to evaluate.
#pragma once

#include "support/base/json_tree.h"
#include "tests/conformance/oracle.h"

namespace fermiac::selfcheck {

/// Wraps the case in a program and runs it: the value as a generated quantity of data, the gradient of its weighted sum as
/// that of a log density whose parameters are the differentiated arguments.
OracleOutcome check_source_case(const JsonValue& c);

}  // namespace fermiac::selfcheck
