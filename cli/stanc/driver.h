// One run of stanc: read, parse, check, then whatever the flags ask for, in the documented order.
#pragma once

#include <string>

#include "cli/stanc/options.h"
#include "frontend/lex/token.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::stanc {

/// Returns the exit status.
int run(const Options& options);

// What `--debug-lex` prints.

/// A line per token, comment, blank and newline, with places after newlines and identifiers.
std::string lexer_trace(const SourceMap& sources, const lex::TokenStream& stream);

// Errors and warnings for editors, as JSON.

/// An array of objects with file, line (from 1), column (from 0), end_line, end_column, severity ("error" or "warning")
/// and message, in the order in which they were found; `[]` for none.
std::string diagnostics_json(const Diagnostics& diagnostics, const SourceMap& sources);
/// The same of a program that cannot be read at all.
std::string unreadable_json(const std::string& file, const std::string& problem);

}  // namespace fermiac::stanc
