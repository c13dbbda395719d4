// Formatting must not change the meaning of a program: what was printed is read again.
#pragma once

#include <optional>
#include <string>

#include "frontend/ast/ast.h"
#include "frontend/format/format.h"
#include "frontend/lex/token.h"
#include "frontend/parse/parse.h"
#include "support/base/source.h"

namespace fermiac::format {

struct ReadBack {
  bool same = false;      // the text means the same program
  bool too_deep = false;  // it does not, because it is nested too deeply for the parser
};

/// `rewritten`: the tree was changed after it was read, so the tokens need not be those of the source. Where they are,
/// so is what they mean; else the text is parsed and the trees are compared.
ReadBack reads_back(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program, const std::string& text,
                    ParseOptions parsing, bool rewritten);

// Formatting that changes nothing when it is done again.

/// The same as format_program(), but a comment that has moved is formatted again at its new place, until nothing changes. `parsing`:
/// how the text of the program was read. Cost: of one more parse and format, if the program has comments or includes.
std::optional<std::string> format_until_stable(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program,
                                               const Options& options, ParseOptions parsing);

}  // namespace fermiac::format
