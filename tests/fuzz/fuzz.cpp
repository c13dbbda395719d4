#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/ast/sexp.h"
#include "frontend/check/check.h"
#include "frontend/format/canonical.h"
#include "frontend/format/format.h"
#include "frontend/format/info.h"
#include "frontend/lex/lexer.h"
#include "frontend/parse/parse.h"
#include "frontend/symbols/symbols.h"
#include "support/base/check.h"
#include "support/base/render.h"

namespace fermiac::fuzz {
namespace {

/// A program with all that it refers to.
struct Parsed {
  SourceMap sources;
  Diagnostics diagnostics;
  lex::TokenStream stream;
  std::optional<ast::Program> program;
};

bool too_deep(const Parsed& parsed) {
  return std::ranges::any_of(parsed.diagnostics.reports(), [](const Report& r) { return r.id == DiagId::E0007; });
}

void parse(Parsed& out, const std::string& text, const ParseOptions& options) {
  const std::uint32_t file = out.sources.add("fuzz.stan", text);
  out.program = parse_program(out.sources, file, options, out.diagnostics, &out.stream);
  FERMIAC_CHECK(out.program.has_value() != out.diagnostics.has_errors(), "a program or an error, never both");
}

void render_all(const Parsed& parsed) {
  const std::string errors = render_errors(parsed.sources, parsed.diagnostics);
  FERMIAC_CHECK(errors.empty() != parsed.diagnostics.has_errors(), "every error is rendered");
  for (const auto group : {WarningGroup::Parser, WarningGroup::Types, WarningGroup::Deprecation})
    render_warnings(parsed.sources, parsed.diagnostics, group);
}

}  // namespace

void lexer(const std::string& text) {
  SourceMap sources;
  const std::uint32_t file = sources.add("fuzz.stan", text);
  for (const auto& [hash_comments, all_errors] :
       {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
    const lex::TokenStream stream = lex::lex(sources, file, {}, hash_comments, all_errors);
    std::uint32_t end = 0;
    for (const lex::Token& token : stream.tokens) {
      if (token.kind == lex::Tok::Error || token.kind == lex::Tok::Eof) continue;
      FERMIAC_CHECK(token.span.begin.offset >= end, "tokens come in order");
      FERMIAC_CHECK(sources.text(token.span) == token.text, "a token is what stands in its place");
      end = token.span.end.offset;
    }
    FERMIAC_CHECK(!stream.tokens.empty(), "there is a last token");
    const auto errors = std::ranges::count(stream.tokens, lex::Tok::Error, &lex::Token::kind);
    FERMIAC_CHECK(static_cast<std::size_t>(errors) == stream.errors.size(), "every error has its token");
  }
}

void parser(const std::string& text) {
  for (const bool strict : {false, true})
    for (const bool all_errors : {false, true})
      for (const bool functions_only : {false, true}) {
        Parsed parsed;
        ParseOptions options;
        options.strict = strict;
        options.all_errors = all_errors;
        options.functions_only = functions_only;
        parse(parsed, text, options);
        render_all(parsed);
        if (parsed.program) ast::to_sexp(*parsed.program);
      }
}

void checker(const std::string& text) {
  for (const bool all_errors : {false, true}) {
    Parsed parsed;
    ParseOptions parsing;
    parsing.all_errors = all_errors;
    parse(parsed, text, parsing);
    if (!parsed.program) continue;
    CheckOptions options;
    options.all_errors = all_errors;
    const bool good = check_program(*parsed.program, options, parsed.diagnostics);
    FERMIAC_CHECK(good != parsed.diagnostics.has_errors(), "a program is right or has errors");
    render_all(parsed);
    if (good) format::info_json(parsed.sources, parsed.stream, *parsed.program);
  }
}

void names(const std::string& text) {
  SourceMap sources;
  Diagnostics diagnostics, spoiled;
  std::optional<ast::Program> program = parse_program(sources, sources.add("fuzz.stan", text), {.all_errors = true, .keep_broken = true}, diagnostics);
  if (!program) return;
  check_program(*program, {.all_errors = true, .rewrite_removed = true}, spoiled);
  const SymbolTable table = symbols_of(*program, sources);
  for (const SymbolUse& use : table.uses) {
    FERMIAC_CHECK(use.symbol >= -1 && use.symbol < static_cast<int>(table.symbols.size()), "a use is of a symbol that there is");
    FERMIAC_CHECK(use.span.begin.offset < use.span.end.offset && use.span.end.offset <= text.size(), "a use is a piece of the text");
    table.uses_of(use.symbol);
  }
  for (const Report& report : diagnostics.reports())
    for (const Fix& fix : report.notes.fixes)
      FERMIAC_CHECK(fix.span.begin.offset <= fix.span.end.offset && fix.span.end.offset <= text.size(), "a fix is in the text");
  if (!text.empty()) table.visible_at(sources, {0, static_cast<std::uint32_t>(text.size() / 2)});
}

namespace {

/// The formatted program; nothing if the text does not check or cannot be formatted.
std::optional<std::string> formatted(const std::string& text, const format::Canonical& canonical, int margin) {
  Parsed parsed;
  parse(parsed, text, {});
  if (!parsed.program || !check_program(*parsed.program, {}, parsed.diagnostics)) return std::nullopt;
  format::canonicalize(*parsed.program, canonical);
  const auto result = format::format_program(
      parsed.sources, parsed.stream, *parsed.program,
      {.margin = margin, .inline_includes = canonical.includes, .strip_comments = canonical.strip_comments});
  if (!result) return std::nullopt;
  Parsed again;
  parse(again, *result, {});
  if (too_deep(again)) return std::nullopt;  // braces were added
  FERMIAC_CHECK(again.program && ast::to_sexp(*again.program) == ast::to_sexp(*parsed.program),
                "formatting does not change a program");
  return result;
}

/// Where a line breaks before a statement's first location, an empty line may appear the second time.
std::string without_empty_lines(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.find_first_not_of(' ') != std::string::npos) result += line + '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace

void formatter(const std::string& text) {
  const format::Canonical forms[] = {{}, {true, true, true, true, false}, {true, true, true, true, true}};
  for (const format::Canonical& canonical : forms)
    for (const int margin : {78, 20}) {
      const std::optional<std::string> once = formatted(text, canonical, margin);
      if (!once || !canonical.strip_comments) continue;  // comments may need a second run to settle
      const std::optional<std::string> twice = formatted(*once, canonical, margin);
      if (!twice) continue;
      FERMIAC_CHECK(without_empty_lines(*twice) == without_empty_lines(*once), "a formatted program stays as it is");
    }
}

}  // namespace fermiac::fuzz
