// Formatting that changes nothing when it is done again.
#include "frontend/format/reads_back.h"

namespace fermiac::format {
namespace {

constexpr int kMostRuns = 6;  // three suffice for all that is known

/// The formatted text formatted once more; nothing if it cannot be read.
std::optional<std::string> again(const std::string& text, const SourceMap& sources, const Options& options, const ParseOptions& parsing) {
  SourceMap own;
  lex::TokenStream stream;
  Diagnostics ignored;
  const auto program = parse_program(own, own.add(sources.file(0).name, text), parsing, ignored, &stream);
  return program ? format_program(own, stream, *program, options) : std::nullopt;
}

}  // namespace

std::optional<std::string> format_until_stable(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program,
                                               const Options& options, ParseOptions parsing) {
  std::optional<std::string> text = format_program(sources, stream, program, options);
  if (stream.comments.empty() && stream.includes.empty()) return text;
  parsing.strict = parsing.all_errors = parsing.keep_broken = false;
  parsing.functions_only = program.functions_only;
  parsing.trace = nullptr;
  for (int run = 1; text && run < kMostRuns; ++run) {
    std::optional<std::string> next = again(*text, sources, options, parsing);
    if (!next || next == text) break;
    text = std::move(next);
  }
  return text;
}

}  // namespace fermiac::format
