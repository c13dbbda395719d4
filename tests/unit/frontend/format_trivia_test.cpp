// Comments and include directives between any two tokens of a program: the formatted text is the same program, holds every
// comment, and formatting it again changes nothing. FERMIAC_TRIVIA_PROGRAMS: how many programs are taken (0: all there are);
// FERMIAC_TRIVIA_COUNTS=1 prints the counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "frontend/ast/sexp.h"
#include "frontend/format/reads_back.h"
#include "frontend/parse/parse.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = FERMIAC_SOURCE_DIR;
constexpr std::size_t kPrograms = 60;
constexpr std::string_view kIncluded = "included.stan";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// A program with its tokens; `program` is empty if the text does not parse.
struct Parsed {
  explicit Parsed(const std::string& text) {
    Diagnostics ignored;
    program = parse_program(sources, sources.add("t.stan", text), options(), ignored, &stream);
  }
  static ParseOptions options() {
    ParseOptions out;
    out.carried_includes = &included();
    out.include_paths = {"."};
    return out;
  }
  static const CarriedFiles& included() {
    static const CarriedFiles files = {{"./" + std::string(kIncluded), "// included\n"}};
    return files;
  }
  std::string tree() const { return ast::to_sexp(*program); }
  std::optional<std::string> formatted() const { return program ? format::format_until_stable(sources, stream, *program, {}, options()) : std::nullopt; }
  std::size_t trivia() const { return stream.comments.size() + stream.includes.size(); }

  SourceMap sources;
  lex::TokenStream stream;
  std::optional<ast::Program> program;
};

struct Insertion {
  const char* name;
  std::string text;
};
const Insertion kInsertions[] = {{"line comment", "//c\n"},
                                 {"line comment of its own", "\n//c\n"},
                                 {"block comment", "/*c*/"},
                                 {"block comment of its own", "\n/*c*/\n"},
                                 {"block comment over lines", "/*c\n  d*/"},
                                 {"include", "\n#include " + std::string(kIncluded) + "\n"}};

/// What is wrong with a program, or nothing.
enum class Finding { None, Refused, Unread, Tree, Lost, Twice };
constexpr const char* kFindings[] = {"right", "refused", "not read", "another tree", "a comment lost", "twice differs"};

Finding finding(const std::string& text, const std::string& tree, bool include) {
  const Parsed first(text);
  if (!first.program || first.tree() != tree) return Finding::Unread;
  const std::optional<std::string> once = first.formatted();
  if (!once) return include ? Finding::Refused : Finding::Lost;
  const Parsed second(*once);
  if (!second.program || second.tree() != tree) return Finding::Tree;
  if (second.trivia() != first.trivia()) return Finding::Lost;
  return second.formatted() == once ? Finding::None : Finding::Twice;
}

/// Programs of the tests and examples that parse, in the order of their paths: every so many of them.
std::vector<std::string> programs(std::size_t most) {
  std::vector<fs::path> paths;
  for (const char* folder : {"tests/golden/programs", "tests/golden/cpp", "docs/user/models", "examples"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / folder))
      if (entry.path().extension() == ".stan") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> out;
  for (const fs::path& path : paths) {
    std::string text = read(path);
    text.resize(std::min(text.find("//|exit"), text.size()));
    if (text.size() < 4000 && Parsed(text).program) out.push_back(std::move(text));
  }
  if (most == 0 || most >= out.size()) return out;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(std::move(out[i * out.size() / most]));
  return some;
}

std::size_t wanted_programs() {
  const char* given = std::getenv("FERMIAC_TRIVIA_PROGRAMS");
  return given ? std::strtoul(given, nullptr, 10) : kPrograms;
}

/// Counts of each finding, by insertion.
using Counts = std::map<std::pair<std::string, Finding>, std::size_t>;

/// `<-` is one token to the parser.
bool splits_arrow(const std::vector<lex::Token>& tokens, std::size_t i) {
  return i > 0 && tokens[i].kind == lex::Tok::Minus && tokens[i - 1].kind == lex::Tok::Less && tokens[i - 1].span.end == tokens[i].span.begin;
}

/// A comment behind a `/` would begin one character earlier.
bool joins_slash(const std::string& source, std::size_t at, const Insertion& insertion) {
  return at > 0 && source[at - 1] == '/' && insertion.text.front() == '/';
}

/// The text around a place, on one line.
std::string around(const std::string& text, std::size_t at) {
  if (std::getenv("FERMIAC_TRIVIA_SHOW")) {
    const std::string once = Parsed(text).formatted().value_or("");
    return text + "--- once\n" + once + "--- twice\n" + Parsed(once).formatted().value_or("");
  }
  const std::size_t from = at - std::min<std::size_t>(at, 30);
  std::string out = text.substr(from, 70);
  std::ranges::replace(out, '\n', '|');
  return out;
}

void try_all(const std::string& source, Counts& counts) {
  const Parsed plain(source);
  const std::string tree = plain.tree();
  const std::vector<lex::Token>& tokens = plain.stream.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Pos at = tokens[i].span.begin;
    if (at.file != 0 || splits_arrow(tokens, i)) continue;
    for (const Insertion& insertion : kInsertions) {
      if (joins_slash(source, at.offset, insertion)) continue;
      const std::string text = std::string(source).insert(at.offset, insertion.text);
      const Finding found = finding(text, tree, insertion.text.find("#include") != std::string::npos);
      ++counts[{insertion.name, found}];
      if (found != Finding::None && found != Finding::Refused)
        ADD_FAILURE() << insertion.name << ", " << kFindings[static_cast<int>(found)] << ": " << around(text, at.offset);
    }
  }
}

TEST(FormatTrivia, BetweenAnyTwoTokens) {
  Counts counts;
  const std::vector<std::string> all = programs(wanted_programs());
  ASSERT_GE(all.size(), std::min<std::size_t>(kPrograms, wanted_programs()));
  for (const std::string& source : all) try_all(source, counts);
  if (!std::getenv("FERMIAC_TRIVIA_COUNTS")) return;
  for (const auto& [key, count] : counts)
    std::printf("%s, %s: %zu\n", key.first.c_str(), kFindings[static_cast<int>(key.second)], count);
}

}  // namespace
}  // namespace fermiac
