// Errors and warnings for editors, as JSON.
#pragma once

#include <string>

#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::stanc {

/// An array of objects with file, line (from 1), column (from 0), end_line, end_column, severity ("error" or "warning")
/// and message, in the order in which they were found; `[]` for none.
std::string diagnostics_json(const Diagnostics& diagnostics, const SourceMap& sources);
/// The same of a program that cannot be read at all.
std::string unreadable_json(const std::string& file, const std::string& problem);

}  // namespace fermiac::stanc
