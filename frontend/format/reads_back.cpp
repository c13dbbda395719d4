#include "frontend/format/reads_back.h"

#include <algorithm>
#include <optional>

#include "frontend/ast/sexp.h"
#include "frontend/lex/lexer.h"

namespace fermiac::format {
namespace {

bool same_tokens(const SourceMap& sources, const lex::TokenStream& stream, const std::string& text, const ParseOptions& parsing) {
  SourceMap own;
  const lex::TokenStream again = lex::lex(own, own.add(sources.file(0).name, text), parsing.include_paths, false, false, parsing.include_rule);
  const auto same = [](const lex::Token& a, const lex::Token& b) { return a.kind == b.kind && a.text == b.text; };
  return stream.errors.empty() && again.errors.empty() && std::ranges::equal(again.tokens, stream.tokens, same);
}

}  // namespace

ReadBack reads_back(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program, const std::string& text,
                    ParseOptions parsing, bool rewritten) {
  ReadBack out;
  if (!rewritten && same_tokens(sources, stream, text, parsing)) return out.same = true, out;
  SourceMap own;
  Diagnostics ignored;
  parsing.strict = false;
  parsing.all_errors = parsing.keep_broken = false;
  parsing.functions_only = program.functions_only;
  parsing.trace = nullptr;
  const std::optional<ast::Program> again = parse_program(own, own.add(sources.file(0).name, text), parsing, ignored);
  for (const Report& report : ignored.reports()) out.too_deep = out.too_deep || report.id == DiagId::E0007 || report.id == DiagId::E0010;
  out.same = again && ast::to_sexp(*again) == ast::to_sexp(program);
  return out;
}

}  // namespace fermiac::format
