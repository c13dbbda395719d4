// Text to tokens: the first step of every command.
#pragma once

#include <string>
#include <vector>

#include "frontend/lex/includes.h"
#include "frontend/lex/token.h"

namespace fermiac::lex {

/// Tokens of `file` and of everything it includes. Includes are looked up in `include_paths` only, in order, and are
/// added to `sources`; with `carried` its texts stand for the files. Errors are kept in the stream and not reported.
/// `hash_comments`: a `#` that starts no include directive starts a comment, as it did long ago.
/// `all_errors`: go on behind an error, if there is a way, instead of stopping.
TokenStream lex(SourceMap& sources, std::uint32_t file, const std::vector<std::string>& include_paths,
                bool hash_comments = false, bool all_errors = false,
                IncludeRule rule = IncludeRule::Anywhere, const CarriedFiles* carried = nullptr);

}  // namespace fermiac::lex
