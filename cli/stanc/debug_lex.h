// What `--debug-lex` prints.
#pragma once

#include <string>

#include "frontend/lex/token.h"
#include "support/base/source.h"

namespace fermiac::stanc {

/// A line per token, comment, blank and newline, with places after newlines and identifiers.
std::string lexer_trace(const SourceMap& sources, const lex::TokenStream& stream);

}  // namespace fermiac::stanc
