// Formatting that changes nothing when it is done again.
#pragma once

#include <optional>
#include <string>

#include "frontend/format/format.h"
#include "frontend/parse/parse.h"

namespace fermiac::format {

/// The same as format_program(), but a comment that has moved is formatted again at its new place, until nothing changes. `parsing`:
/// how the text of the program was read. Cost: of one more parse and format, if the program has comments or includes.
std::optional<std::string> format_until_stable(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program,
                                               const Options& options, ParseOptions parsing);

}  // namespace fermiac::format
