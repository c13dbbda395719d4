#include "frontend/lex/token.h"

namespace fermiac::lex {
namespace {

struct Row {
  std::string_view text;
  bool keyword;
};

constexpr Row kRows[] = {
#define KEYWORD(id, text) {"\"" text "\"", true},
#define SYMBOL(id, text) {"\"" text "\"", false},
#define NAMED(id, text) {text, false},
#include "frontend/lex/tokens.def"
#undef KEYWORD
#undef SYMBOL
#undef NAMED
};

}  // namespace

std::string_view describe(Tok kind) { return kRows[static_cast<std::size_t>(kind)].text; }

bool is_keyword(Tok kind) { return kRows[static_cast<std::size_t>(kind)].keyword && kind != Tok::Truncate; }

}  // namespace fermiac::lex
