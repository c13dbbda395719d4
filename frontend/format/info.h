// `--info`: what a checked program declares and calls, as JSON.
#pragma once

#include <string>

#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "support/base/source.h"

namespace fermiac::format {

/// The object with `inputs`, `parameters`, …, `included_files`; ends with a newline.
std::string info_json(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program);

}  // namespace fermiac::format
