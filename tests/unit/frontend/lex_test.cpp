#include "frontend/lex/lexer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fermiac::lex {
namespace {

struct Lexed {
  SourceMap sources;
  TokenStream stream;
};

Lexed lex_text(const std::string& text, const std::vector<std::string>& paths = {}) {
  Lexed result;
  const std::uint32_t file = result.sources.add("t.stan", text);
  result.stream = lex(result.sources, file, paths);
  return result;
}

/// The texts of the tokens, joined with blanks.
std::string texts(const std::string& text) {
  const Lexed lexed = lex_text(text);
  std::string result;
  for (const Token& token : lexed.stream.tokens)
    if (token.kind != Tok::Eof) result += (result.empty() ? "" : " ") + std::string(token.text);
  return result;
}

std::vector<Tok> kinds(const std::string& text) {
  const Lexed lexed = lex_text(text);
  std::vector<Tok> result;
  for (const Token& token : lexed.stream.tokens) result.push_back(token.kind);
  return result;
}

TEST(Lex, TakesTheLongestMatch) {
  EXPECT_EQ(texts("1.*x"), "1. * x");
  EXPECT_EQ(texts("1..*x"), "1. .* x");
  EXPECT_EQ(texts("x.1.2"), "x .1 .2");
  EXPECT_EQ(texts("a%/%b%c.*=d./=e"), "a %/% b % c .*= d ./= e");
  EXPECT_EQ(texts("a<=b==c"), "a <= b == c");
}

TEST(Lex, Numbers) {
  EXPECT_EQ(kinds("1_000 1. .5e3 1e-4 .5 2i 1.5i"),
            (std::vector{Tok::IntLit, Tok::RealLit, Tok::RealLit, Tok::RealLit, Tok::DotNumber, Tok::ImagLit,
                         Tok::ImagLit, Tok::Eof}));
  EXPECT_EQ(texts("1a"), "1 a");
  EXPECT_EQ(texts("1e"), "1 e");
  EXPECT_EQ(kinds("10_").back(), Tok::Error);
}

TEST(Lex, KeywordsAndHeaders) {
  EXPECT_EQ(kinds("T Tx transformed \t data generated\nquantities"),
            (std::vector{Tok::Truncate, Tok::Identifier, Tok::TransformedData, Tok::Identifier, Tok::Identifier,
                         Tok::Eof}));
  EXPECT_TRUE(is_keyword(Tok::Simplex));
  EXPECT_FALSE(is_keyword(Tok::Truncate));
  EXPECT_FALSE(is_keyword(Tok::Identifier));
}

TEST(Lex, CommentsAreTrivia) {
  const Lexed lexed = lex_text("a // one\n/* two\n*/ b");
  ASSERT_EQ(lexed.stream.comments.size(), 2u);
  EXPECT_TRUE(lexed.stream.comments[0].line);
  EXPECT_EQ(lexed.stream.comments[0].text, "// one");
  EXPECT_EQ(lexed.stream.comments[1].text, "/* two\n*/");
  EXPECT_EQ(lexed.stream.comments[1].token, 1u);
}

TEST(Lex, StopsAtTheFirstError) {
  const Lexed lexed = lex_text("a $ b");
  EXPECT_EQ(lexed.stream.tokens.size(), 2u);
  EXPECT_EQ(lexed.stream.errors.at(0).kind, LexError::Kind::InvalidCharacter);
  EXPECT_EQ(lexed.stream.errors.at(0).span.begin.offset, 2u);
  EXPECT_EQ(lex_text("/* a").stream.errors.at(0).kind, LexError::Kind::UnterminatedComment);
  EXPECT_EQ(lex_text("\"a\nb\"").stream.errors.at(0).kind, LexError::Kind::InvalidCharacter);
}

TEST(Lex, AnnotationsEndAtABlankOutsideParentheses) {
  EXPECT_EQ(texts("@silence(a, b) real x"), "@silence(a, b) real x");
  EXPECT_EQ(kinds("@ x").front(), Tok::Error);
}

class LexIncludes : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "lex_includes";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ + "/" + name) << text; }
  std::string folder_;
};

TEST_F(LexIncludes, AreSplicedAndKeepTheirPlace) {
  write("a.inc", "2 +");
  const Lexed lexed = lex_text("1 + #include <a.inc> 3", {"nowhere", folder_});
  ASSERT_EQ(lexed.stream.tokens.size(), 6u);
  EXPECT_EQ(lexed.stream.tokens[2].span.begin, (Pos{1, 0}));
  EXPECT_EQ(lexed.stream.tokens[4].text, "3");
  EXPECT_EQ(lexed.sources.file(1).included_from, (Pos{0, 4}));
  ASSERT_EQ(lexed.stream.includes.size(), 1u);
  EXPECT_EQ(lexed.stream.includes[0].name, "a.inc");
}

TEST_F(LexIncludes, ReportRecursionAndMissingFiles) {
  write("a.inc", "#include b.inc");
  write("b.inc", "#include \"a.inc\"");
  EXPECT_EQ(lex_text("#include a.inc", {folder_}).stream.errors.at(0).kind, LexError::Kind::IncludeRecursion);
  EXPECT_EQ(lex_text("#include c.inc", {folder_}).stream.errors.at(0).kind, LexError::Kind::IncludeNotFound);
}

TEST_F(LexIncludes, FunctionFilesAreIncludedOnce) {
  write("f.stanfunctions", "x");
  write("f.inc", "x");
  EXPECT_EQ(lex_text("#include f.stanfunctions\n#include f.stanfunctions", {folder_}).stream.tokens.size(), 2u);
  EXPECT_EQ(lex_text("#include f.inc\n#include f.inc", {folder_}).stream.tokens.size(), 3u);
}

TEST_F(LexIncludes, OrderOfPlacesFollowsTheReading) {
  write("a.inc", "b c");
  Lexed lexed = lex_text("a\n#include a.inc\nd", {folder_});
  const auto& tokens = lexed.stream.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    EXPECT_TRUE(lexed.sources.before(tokens[i].span.begin, tokens[i + 1].span.begin));
    EXPECT_FALSE(lexed.sources.before(tokens[i + 1].span.begin, tokens[i].span.begin));
  }
}

}  // namespace
}  // namespace fermiac::lex
