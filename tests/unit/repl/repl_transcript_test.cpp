// Sessions with their output: every file in tests/golden/repl, docs/repl.md and the pages in docs/repl. A transcript has the inputs
// behind `> `, further lines of an input behind `. `, and what they print. With FERMIAC_UPDATE_GOLDENS=1 in the
// environment the files are rewritten instead of compared.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/check/check.h"
#include "frontend/lex/token.h"
#include "repl/session/commands.h"
#include "repl/session/session.h"

namespace fermiac::repl {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = FERMIAC_SOURCE_DIR;
const fs::path kGolden = kSource / "tests/golden/repl";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool updating() {
  return std::getenv("FERMIAC_UPDATE_GOLDENS") != nullptr;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// Runs the inputs of a transcript in a fresh session and writes the transcript that results. Lines from the start that
/// begin with `#` are kept.
std::string replay(const std::string& transcript) {
  std::string out;
  const auto sink = [&](std::string_view text) { out += text; };
  Session session({.seed = 1, .bare = false, .terminal = false, .columns = 100, .out = sink, .err = sink, .stop = nullptr});
  const std::vector<std::string> lines = lines_of(transcript);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("#") && (i == 0 || lines[i - 1].starts_with("#"))) out += lines[i] + "\n";
    if (!lines[i].starts_with("> ")) continue;
    std::string input = lines[i].substr(2);
    out += lines[i] + "\n";
    while (i + 1 < lines.size() && lines[i + 1].starts_with(". ")) {
      out += lines[++i] + "\n";
      input += "\n" + lines[i].substr(2);
    }
    session.run(input);
    if (!out.ends_with('\n')) out += '\n';
  }
  return out;
}

/// What differs from run to run: durations. With `# numbers masked` in the first line all numbers and pictures, because
/// a sampler's path depends on the last bit of every operation.
std::string comparable(const std::string& transcript) {
  static const std::regex duration(R"([0-9.]+(e[-+]?[0-9]+)? (ns|us|ms|s)\b)"), count(R"(best of [0-9]+)");
  static const std::regex number(R"([-+]?([0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?|nan\b|inf\b))"), blanks(" +");
  std::string text = std::regex_replace(std::regex_replace(transcript, duration, "TIME"), count, "best of N");
  if (!transcript.starts_with("# numbers masked")) return text;
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (line.find("┤") != std::string::npos || line.find("R-hat") != std::string::npos || line.find("ESS") != std::string::npos) continue;
    out += (line.starts_with("> ") ? line : std::regex_replace(std::regex_replace(line, number, "#"), blanks, " ")) + "\n";
  }
  return out;
}

std::vector<fs::path> transcripts() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(kGolden))
    if (entry.path().extension() == ".txt" && entry.path().stem() != "script") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

class Transcript : public testing::TestWithParam<fs::path> {};

TEST_P(Transcript, PrintsWhatItPrinted) {
  fs::current_path(kGolden);
  const std::string expected = read(GetParam());
  ASSERT_NE(expected.find("> "), std::string::npos) << "no input in " << GetParam();
  const std::string now = replay(expected);
  if (updating()) {
    std::ofstream(GetParam(), std::ios::binary) << now;
    return;
  }
  EXPECT_EQ(comparable(now), comparable(expected));
}

INSTANTIATE_TEST_SUITE_P(Repl, Transcript, testing::ValuesIn(transcripts()),
                         [](const auto& file) { return file.param.stem().string(); });

std::vector<fs::path> pages() {
  std::vector<fs::path> out = {kSource / "docs/repl.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "docs/repl"))
    if (entry.path().extension() == ".md") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

class ReplPage : public testing::TestWithParam<fs::path> {};

TEST_P(ReplPage, PrintsWhatItShows) {
  fs::current_path(kSource);
  const fs::path path = GetParam();
  const std::string page = read(path);
  const std::string open = "```repl\n", close = "```\n";
  // One session runs through the whole page.
  std::string all;
  std::vector<std::pair<std::size_t, std::size_t>> fences;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    const std::size_t begin = at + open.size(), end = page.find(close, begin);
    ASSERT_NE(end, std::string::npos);
    fences.emplace_back(begin, end);
    all += "> :apropos fence_between_blocks\n" + page.substr(begin, end - begin);
    at = end;
  }
  ASSERT_FALSE(fences.empty());
  const std::string now = replay(all);
  const std::string mark = "> :apropos fence_between_blocks\nError: no function, no word of the language and no command speaks of 'fence_between_blocks'\n";
  std::vector<std::string> blocks;
  for (std::size_t at = now.find(mark); at != std::string::npos;) {
    const std::size_t begin = at + mark.size(), next = now.find(mark, begin);
    blocks.push_back(now.substr(begin, next == std::string::npos ? next : next - begin));
    at = next;
  }
  ASSERT_EQ(blocks.size(), fences.size());
  std::string fresh = page;
  for (std::size_t i = fences.size(); i-- > 0;) {
    const auto [begin, end] = fences[i];
    if (!updating()) {
      EXPECT_EQ(comparable(blocks[i]), comparable(page.substr(begin, end - begin)));
    }
    fresh.replace(begin, end - begin, blocks[i]);
  }
  if (updating()) std::ofstream(path, std::ios::binary) << fresh;
}

INSTANTIATE_TEST_SUITE_P(Repl, ReplPage, testing::ValuesIn(pages()), [](const auto& page) { return page.param.stem().string(); });

TEST(ReplCommands, EachHasATranscript) {
  std::string all;
  for (const fs::path& path : transcripts()) all += read(path);
  for (const Command& command : commands()) {
    const std::string name(command.name);
    const bool seen = all.find("> :" + name + "\n") != std::string::npos || all.find("> :" + name + " ") != std::string::npos;
    EXPECT_TRUE(seen) << ":" << name << " is in no transcript";
  }
}

TEST(ReplCommands, AdviceNamesOptionsAsTheyAreTypedHere) {
  fs::current_path(kGolden);
  const std::string said = replay("> :model coin.stan\n> :data coin.json\n> :sample chains=2 warmup=20 samples=20 seed=3\n> :summary\n");
  const std::size_t sampled = said.find("Draw more samples (samples=)");  // 40 draws are never worth 200
  EXPECT_NE(sampled, std::string::npos) << said;
  EXPECT_NE(said.find("Draw more samples (samples=)", sampled + 1), std::string::npos) << said;
  EXPECT_EQ(said.find("--"), std::string::npos) << said;
  EXPECT_EQ(with_options_of_session("Raise --adapt-delta (0.95), or --metric dense_e."), "Raise adapt_delta= (0.95), or fermiac sample --metric dense_e.");
  EXPECT_EQ(with_options_of_session("Draw more (--samples)"), "Draw more (samples=)");
  EXPECT_EQ(with_options_of_session("--seed"), "seed=");
}

TEST(ReplDoc, EachExampleRuns) {
  for (const LanguageRow& row : language_rows()) {
    std::string said;
    const auto sink = [&](std::string_view text) { said += text; };
    Session session({.seed = 1, .bare = false, .terminal = false, .columns = 100, .out = sink, .err = sink, .stop = nullptr});
    EXPECT_EQ(session.run(":doc " + std::string(row.name)), Session::Outcome::Ok) << row.name;
    EXPECT_FALSE(row.example.empty()) << row.name;
    EXPECT_NE(row.example.find(row.name.substr(0, row.name.find(' '))), std::string_view::npos) << row.name;
    for (const std::string& input : lines_of(std::string(row.example)))
      EXPECT_EQ(session.run(input), Session::Outcome::Ok) << row.name << ": " << input << "\n" << said;
  }
}

TEST(ReplDoc, EachFunctionHasAnExampleThatRuns) {
  for (const std::string& name : builtin_names()) {
    const std::string call = example_call(name);
    const bool without = name.ends_with("_jacobian") || name.starts_with("integrate_ode") || find_language_row(name);
    EXPECT_EQ(call.empty(), without) << name;
    if (call.empty()) continue;
    std::string said;
    const auto sink = [&](std::string_view text) { said += text; };
    Session session({.seed = 1, .bare = true, .terminal = false, .columns = 100, .out = sink, .err = sink, .stop = nullptr});
    EXPECT_EQ(session.run(call), Session::Outcome::Ok) << call << "\n" << said;
    const bool finite = said.find("inf") == std::string::npos && said.find("nan") == std::string::npos;
    EXPECT_TRUE(finite || name.ends_with("_infinity") || name == "not_a_number") << call << "\n" << said;
  }
}

TEST(ReplDoc, EveryKeywordAndBlockIsKnown) {
  using lex::Tok;
  for (int kind = 0; kind <= static_cast<int>(Tok::EltDivideAssign); ++kind) {
    std::string_view spelled = lex::describe(static_cast<Tok>(kind));
    if (!lex::is_keyword(static_cast<Tok>(kind)) || !spelled.starts_with('"')) continue;
    spelled = spelled.substr(1, spelled.size() - 2);
    EXPECT_NE(find_language_row(spelled), nullptr) << spelled;
  }
}

TEST(ReplDoc, EveryFunctionThatTakesFunctionsIsKnown) {
  for (const std::string_view name : special_function_names()) {
    if (name.starts_with("laplace_")) continue;  // what they take is in docs/phases/solvers.md
    EXPECT_NE(find_language_row(name), nullptr) << name;
  }
}

TEST(ReplCommands, EachHelpTextIsComplete) {
  for (const Command& command : commands()) {
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_TRUE(command.example.starts_with(":" + std::string(command.name))) << command.name;
    EXPECT_EQ(find_command(command.name), &command);
  }
}

TEST(ReplInput, BracketsAndCommentsAskForMore) {
  EXPECT_TRUE(Session::incomplete("real f(real x) {"));
  EXPECT_TRUE(Session::incomplete("x = [1,\n"));
  EXPECT_TRUE(Session::incomplete("/* a comment"));
  EXPECT_FALSE(Session::incomplete("x = [1, 2]"));
  EXPECT_FALSE(Session::incomplete("print(\"(\")"));
  EXPECT_FALSE(Session::incomplete("1 // ("));
  EXPECT_FALSE(Session::incomplete("x = 1)"));
  EXPECT_FALSE(Session::incomplete(":plot normal(0"));
}

TEST(ReplInput, CompletesCommandsNamesAndFiles) {
  Session session({.seed = 1, .bare = true, .terminal = false, .columns = 100, .out = [](std::string_view) {}, .err = {}, .stop = nullptr});
  session.run("my_variable = 3");
  EXPECT_EQ(session.complete(":pl").words, std::vector<std::string>{":plot"});
  EXPECT_EQ(session.complete("1 + my_v").words, std::vector<std::string>{"my_variable"});
  EXPECT_EQ(session.complete("1 + my_v").start, 4u);
  EXPECT_EQ(session.complete("normal_lp").words, (std::vector<std::string>{"normal_lpdf"}));
  EXPECT_EQ(session.complete(":plot neg_binomial_2_log_g").words.size(), 2u);
  fs::current_path(kGolden);
  EXPECT_EQ(session.complete(":model coin.s").words, std::vector<std::string>{"coin.stan"});
  EXPECT_EQ(session.complete(":model coin").words, std::vector<std::string>{"coin.stan"});  // and not coin.json
  EXPECT_EQ(session.complete(":da coin").words, std::vector<std::string>{"coin.json"});
  EXPECT_EQ(session.complete(":da surv").words, std::vector<std::string>{"survey.csv"});
  EXPECT_EQ(session.complete(":load scr").words, std::vector<std::string>{"script.txt"});
  EXPECT_EQ(session.complete(":model " + (kGolden.parent_path() / "rep").string()).words,
            std::vector<std::string>{kGolden.string() + "/"});
  EXPECT_TRUE(session.complete("").words.empty());
}

TEST(ReplInput, CompletesParametersWhereTheyAreNamed) {
  Session session({.seed = 1, .bare = true, .terminal = false, .columns = 100, .out = [](std::string_view) {}, .err = {}, .stop = nullptr});
  session.run("parameters { real beta; real bend; } transformed parameters { real beat = beta; } model { beta ~ normal(bend, 1); }");
  const std::vector<std::string> both = {"bend", "beta"};
  EXPECT_EQ(session.complete(":lp be").words, both);
  EXPECT_EQ(session.complete(":lp beta = 1, be").words, both);
  EXPECT_GT(session.complete(":lp beta = fma(1, be").words.size(), 10u);  // a value
  EXPECT_GT(session.complete(":lp beta = be").words.size(), 10u);
}

TEST(ReplInput, ShowsTheSignaturesOfAnOpenCall) {
  Session session({.seed = 1, .bare = true, .terminal = false, .columns = 100, .out = [](std::string_view) {}, .err = {}, .stop = nullptr});
  session.run("real half(real x) { return x / 2; }");
  EXPECT_EQ(session.call_hint("half("), "real half(real x)\n");
  EXPECT_EQ(session.call_hint("1 + half((2 + [1, 3][1"), "real half(real x)\n");
  EXPECT_EQ(session.call_hint("half(2)"), "");
  EXPECT_TRUE(session.call_hint("x = normal_lpdf(1 | ").starts_with("normal_lpdf(real, real, real) => real\n"));
  EXPECT_NE(session.call_hint("normal_lpdf(").find("64 overloads in all; :type normal_lpdf lists them"), std::string::npos);
  EXPECT_TRUE(session.call_hint("ode_rk45(").starts_with("ode_rk45(f, initial, t0, times"));
  EXPECT_EQ(session.call_hint("nothing("), "");
}

TEST(ReplSession, BreaksProseThatIsWiderThanTheScreen) {
  std::string text;
  const auto sink = [&](std::string_view t) { text += t; };
  Session session({.seed = 1, .bare = false, .terminal = false, .columns = 40, .breaks_lines = true, .out = sink, .err = sink, .stop = nullptr});
  session.run("data { int N; }");
  EXPECT_EQ(text,
            "model typed_model: 1 data variable, 0\nparameters\n"
            "It needs data: use :data FILE, or define\nthe variables of its data block and type\n:data.\n");
  text.clear();
  session.run(":nothing_of_the_kind_that_is_known_here");
  EXPECT_EQ(text, "Error: there is no command\n:nothing_of_the_kind_that_is_known_here.\n:help lists all commands.\n");
}

TEST(ReplSession, StopsARunningLoop) {
  std::atomic<bool> stop{true};
  std::string text;
  const auto sink = [&](std::string_view t) { text += t; };
  Session session({.seed = 1, .bare = false, .terminal = false, .columns = 100, .out = sink, .err = sink, .stop = &stop});
  EXPECT_EQ(session.run("x = 1"), Session::Outcome::Ok);
  EXPECT_EQ(session.run("while (1) x += 1;"), Session::Outcome::Failed);
  EXPECT_NE(text.find("Interrupted."), std::string::npos);
  stop = false;
  text.clear();
  EXPECT_EQ(session.run("x"), Session::Outcome::Ok);
  EXPECT_EQ(text, "x = 1 : int\n");
}

TEST(ReplSession, ErrorsKeepWhatWasThere) {
  std::string text;
  const auto sink = [&](std::string_view t) { text += t; };
  Session session({.seed = 1, .bare = true, .terminal = false, .columns = 100, .out = sink, .err = [](std::string_view) {}, .stop = nullptr});
  EXPECT_EQ(session.run("real<lower=0> x = 2;"), Session::Outcome::Ok);
  EXPECT_EQ(session.run("real<lower=0> x = -2;"), Session::Outcome::Failed);
  EXPECT_EQ(session.run("vector[2] x = [1, 2, 3]';"), Session::Outcome::Failed);
  EXPECT_EQ(session.run("real f(real a) { return a + 1; }"), Session::Outcome::Ok);
  EXPECT_EQ(session.run("real f(real a) { return b; }"), Session::Outcome::Failed);
  EXPECT_EQ(session.run("x += reject(3)"), Session::Outcome::Failed);
  EXPECT_EQ(session.run("f(x)"), Session::Outcome::Ok);
  EXPECT_EQ(text, "3\n");
}

}  // namespace
}  // namespace fermiac::repl
