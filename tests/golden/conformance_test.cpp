// Runs stanc on every probe of probes.jsonl: a tiny program about one rule of the language, with the facts that must come
// out of it. The probes know the language of today, so they run with --strict; the examples of the guide, some of which
// use features removed since, run without. conformance_exceptions.txt lists the probes that do not pass yet, each with a reason; a probe of the list that
// passes fails the test, so that the list only shrinks.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/shared/programs.h"

namespace {

namespace fs = std::filesystem;

struct Place {
  long line = 0, column = 0;
  bool operator==(const Place&) const = default;
  std::string str() const { return std::to_string(line) + ":" + std::to_string(column); }
};

struct Finding {
  std::string kind;  // "Syntax parsing", "Semantic", "Warning"
  std::string file;
  Place begin, end;
  std::vector<std::string> chain;  // "file:line:column", innermost first
  bool operator==(const Finding&) const = default;
  std::string str() const {
    std::string text = kind + " " + file + " " + begin.str() + "-" + end.str();
    for (const std::string& link : chain) text += " from " + link;
    return text + "\n";
  }
};

struct Outcome {
  int exit = 0;
  std::string out, err;
};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void spill(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string shell_word(std::string_view text) { return "'" + std::regex_replace(std::string(text), std::regex("'"), "'\\''") + "'"; }

Place place(simdjson::dom::element element) {
  const simdjson::dom::array pair = element;
  return {pair.at(0).get_int64(), pair.at(1).get_int64()};
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

/// One probe in a folder of its own.
class Probe {
 public:
  Probe(simdjson::dom::element json, fs::path folder) : json_(json), folder_(std::move(folder)) {}

  std::string text(std::string_view key) const {
    std::string_view value;
    return json_[key].get(value) == simdjson::SUCCESS ? std::string(value) : "";
  }
  std::string file() const {
    const std::string name = text("file");
    return name.empty() ? "probe.stan" : name;
  }

  /// What differs; empty if nothing does.
  std::string run() const {
    const Outcome outcome = execute();
    std::string wrong;
    if (const long wanted = json_["exit"].get_int64(); outcome.exit != wanted)
      wrong += "exit " + std::to_string(outcome.exit) + " instead of " + std::to_string(wanted) + "\n";
    if (const std::string want = expected(), got = found(outcome.err); want != got)
      wrong += "expected\n" + want + "found\n" + got;
    std::string_view stdout_text;
    if (json_["stdout"].get(stdout_text) == simdjson::SUCCESS && !same_output(stdout_text, outcome.out))
      wrong += "expected output\n" + std::string(stdout_text) + "found output\n" + outcome.out;
    return wrong.empty() ? "" : wrong + outcome.err;
  }

  /// Without blanks and newlines.
  static std::string squeezed(std::string_view text) {
    std::string result;
    for (const char c : text)
      if (c != ' ' && c != '\n') result += c;
    return result;
  }

 private:
  Outcome execute() const {
    fs::remove_all(folder_);
    spill(folder_ / file(), text("src"));
    for (const auto& [name, content] : simdjson::dom::object(json_["files"]))
      spill(folder_ / std::string(name), std::string_view(content));
    std::string command =
        "cd " + shell_word(folder_.string()) + " && " + shell_word(fermiac::testing::kStanc) + " --strict";
    for (const std::string_view flag : simdjson::dom::array(json_["flags"])) command += " " + shell_word(flag);
    command += " " + shell_word(file()) + " >stdout.txt 2>stderr.txt";
    const int status = std::system(command.c_str());
    const std::string messages = slurp(folder_ / "stderr.txt");
    return {exit_status(status), slurp(folder_ / "stdout.txt"), messages};
  }

  /// MIR dumps are compared up to white space, everything else byte for byte.
  bool same_output(std::string_view want, std::string_view got) const {
    for (const std::string_view flag : simdjson::dom::array(json_["flags"]))
      if (flag.find("-mir") != std::string_view::npos) return squeezed(want) == squeezed(got);
    return want == got;
  }

  Finding finding(simdjson::dom::element element, std::string kind) const {
    Finding result{std::move(kind), file(), place(element["begin"]), place(element["end"]), {}};
    std::string_view name;
    if (element["file"].get(name) == simdjson::SUCCESS) result.file = name;
    simdjson::dom::array chain;
    if (element["chain"].get(chain) == simdjson::SUCCESS)
      for (const simdjson::dom::array link : chain)
        result.chain.push_back(std::string(std::string_view(link.at(0))) + ":" +
                               std::to_string(int64_t(link.at(1))) + ":" + std::to_string(int64_t(link.at(2))));
    return result;
  }

  std::string expected() const {
    std::string result;
    for (const simdjson::dom::element error : simdjson::dom::array(json_["errors"])) {
      std::string_view subkind;
      const bool has = error["subkind"].get(subkind) == simdjson::SUCCESS;
      result += finding(error, std::string(std::string_view(error["kind"])) + (has ? " " + std::string(subkind) : "")).str();
    }
    for (const simdjson::dom::element warning : simdjson::dom::array(json_["warnings"]))
      result += finding(warning, "Warning").str();
    return result;
  }

  /// Headlines in the order printed, errors first.
  static std::string found(const std::string& err) {
    static const std::regex headline(
        R"(^(Syntax error|Semantic error|Warning) in '([^']*)', line (\d+), column (\d+))"
        R"((?: to (?:line (\d+), |'[^']*', line (\d+), )?column (\d+))?((?:, included from\n'[^']*', line \d+, column \d+)*))"
        R"((?:, (lexing|include|parsing) error)?:\n)",
        std::regex::multiline);
    static const std::regex link(R"('([^']*)', line (\d+), column (\d+))");
    std::string errors, warnings;
    for (std::sregex_iterator at(err.begin(), err.end(), headline), end; at != end; ++at) {
      const std::smatch& m = *at;
      Finding result;
      result.kind = m[1] == "Warning" ? "Warning" : m[1] == "Semantic error" ? "Semantic" : "Syntax " + m[9].str();
      result.file = m[2];
      result.begin = {std::stol(m[3]), std::stol(m[4])};
      const std::string end_line = m[5].matched ? m[5].str() : m[6].matched ? m[6].str() : m[3].str();
      result.end = m[7].matched ? Place{std::stol(end_line), std::stol(m[7])} : result.begin;
      const std::string chain = m[8];
      for (std::sregex_iterator l(chain.begin(), chain.end(), link); l != end; ++l)
        result.chain.push_back((*l)[1].str() + ":" + (*l)[2].str() + ":" + (*l)[3].str());
      (result.kind == "Warning" ? warnings : errors) += result.str();
    }
    return errors + warnings;
  }

  simdjson::dom::element json_;
  fs::path folder_;
};

/// `id  reason` per line, `#` starts a comment.
std::map<std::string, std::string> exceptions() {
  std::map<std::string, std::string> result;
  std::ifstream in(FERMIAC_SOURCE_DIR "/tests/golden/conformance_exceptions.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t blank = line.find(' ');
    result[line.substr(0, blank)] = blank == std::string::npos ? "" : line.substr(line.find_first_not_of(' ', blank));
  }
  return result;
}

/// What is on the list must fail, everything else must pass.
class Excuses {
 public:
  void judge(const std::string& id, const std::string& why, const std::string& wrong) {
    const auto excuse = excused_.find(id);
    if (excuse == excused_.end()) {
      EXPECT_TRUE(wrong.empty()) << id << ": " << why << "\n" << wrong;
      return;
    }
    EXPECT_FALSE(excuse->second.empty()) << id << ": an exception needs a reason";
    EXPECT_FALSE(wrong.empty()) << id << " passes: take it off conformance_exceptions.txt";
    used_.insert(id);
  }
  /// Every exception (those of the guide, or the others) must belong to something that was run.
  void finish(bool guide) const {
    for (const auto& [id, reason] : excused_)
      if (id.starts_with("guide-") == guide) {
        EXPECT_TRUE(used_.contains(id)) << "no probe is called " << id;
      }
  }

 private:
  std::map<std::string, std::string> excused_ = exceptions();
  std::set<std::string> used_;
};

/// The examples of the compiler's user guide: `expect` must occur in the output up to white space (a list: any of it),
/// `absent` must not.
std::string run_guide_example(simdjson::dom::element json, const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::string_view file, source;
  std::string command = "cd " + shell_word(folder.string()) + " && " + shell_word(fermiac::testing::kStanc);
  for (const std::string_view flag : simdjson::dom::array(json["flags"])) command += " " + shell_word(flag);
  if (json["file"].get(file) == simdjson::SUCCESS && json["src"].get(source) == simdjson::SUCCESS) {
    spill(folder / std::string(file), source);
    command += " " + shell_word(file);
  }
  const int status = std::system((command + " >output.txt 2>&1").c_str());
  const std::string raw = slurp(folder / "output.txt"), output = Probe::squeezed(raw);
  std::string wrong;
  if (exit_status(status) != json["exit"].get_int64()) wrong += "wrong exit status\n";
  const auto occurs = [&](std::string_view text) { return output.find(Probe::squeezed(text)) != std::string::npos; };
  for (const simdjson::dom::element expected : simdjson::dom::array(json["expect"])) {
    bool found = false;
    if (expected.is_array())
      for (const std::string_view text : simdjson::dom::array(expected)) found = found || occurs(text);
    else
      found = occurs(std::string_view(expected));
    if (!found) wrong += "not found: " + simdjson::minify(expected) + "\n";
  }
  simdjson::dom::array absent;
  if (json["extra"]["absent"].get(absent) == simdjson::SUCCESS)
    for (const std::string_view text : absent)
      if (occurs(text)) wrong += "found: " + std::string(text) + "\n";
  return wrong.empty() ? "" : wrong + raw;
}

TEST(Conformance, GuideExamples) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("conformance_guide." + std::to_string(getpid()));
  Excuses excuses;
  simdjson::dom::parser parser;
  simdjson::dom::array examples;
  ASSERT_FALSE(parser.load(FERMIAC_SOURCE_DIR "/tests/golden/guide_examples.json").get(examples));
  for (const simdjson::dom::element json : examples)
    excuses.judge("guide-" + std::string(std::string_view(json["id"])), "example of the guide",
                  run_guide_example(json, folder));
  excuses.finish(true);
  fs::remove_all(folder);
}

TEST(Conformance, Probes) {
  ASSERT_TRUE(fs::exists(fermiac::testing::kStanc)) << "build the target stanc first";
  const fs::path folder = fs::path(::testing::TempDir()) / ("conformance_probe." + std::to_string(getpid()));
  Excuses excuses;
  std::map<std::string, std::pair<int, int>> areas;
  simdjson::dom::parser parser;
  simdjson::dom::document_stream stream;
  ASSERT_FALSE(parser.load_many(FERMIAC_SOURCE_DIR "/tests/golden/probes.jsonl").get(stream));
  for (const simdjson::dom::element json : stream) {
    const Probe probe(json, folder);
    const std::string id = probe.text("id"), wrong = probe.run();
    auto& [passed, total] = areas[probe.text("area")];
    ++total;
    passed += wrong.empty() ? 1 : 0;
    excuses.judge(id, probe.text("why"), wrong);
  }
  fs::remove_all(folder);
  excuses.finish(false);
  for (const auto& [area, count] : areas)
    std::printf("%-8s %3d of %3d\n", area.c_str(), count.first, count.second);
}

}  // namespace
