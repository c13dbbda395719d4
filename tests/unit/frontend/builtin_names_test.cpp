// Names of functions and operators as numbers, what holds of them, and that no other list of names is in the sources.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/builtins/builtins.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST(BuiltinNames, LeadBackToTheirNumbers) {
  for (std::size_t i = 0; i < builtin_entries().size(); ++i) {
    const auto fn = static_cast<Builtin>(i);
    EXPECT_EQ(builtin_named(name_of(fn)), fn) << name_of(fn);
  }
  EXPECT_EQ(name_of(Builtin::Plus), "Plus__");
  EXPECT_EQ(name_of(Builtin::normal_lccdf), "normal_lccdf");
  EXPECT_EQ(builtin_named("wishart_rng"), Builtin::wishart_rng);
  for (const char* unknown : {"", "Plus", "normal", "normal_lpmf", "int_divide"}) EXPECT_FALSE(builtin_named(unknown)) << unknown;
}

TEST(BuiltinNames, OperatorsHaveFunctions) {
  for (std::size_t i = 0; i < builtin_entries().size(); ++i) {
    const auto fn = static_cast<Builtin>(i);
    const OperatorRow* op = find_operator(fn);
    EXPECT_EQ(library_function(fn), op ? op->functions().back() : fn);
    if (!op) continue;
    EXPECT_EQ(op->id, fn);
    for (const Builtin function : op->functions()) EXPECT_TRUE(is_builtin(name_of(function))) << name_of(fn);
  }
  EXPECT_EQ(operator_row(BinaryOp::Divide).functions().front(), Builtin::mdivide_right);
  EXPECT_EQ(library_function(Builtin::IntDivide), Builtin::divide);
  EXPECT_EQ(operator_row(UnaryOp::Transpose).id, Builtin::Transpose);
  EXPECT_EQ(operator_row(UnaryOp::Not).name(), "PNot");
}

TEST(BuiltinNames, FactsAreThoseOfTheRow) {
  EXPECT_TRUE(has(Builtin::to_vector, Fact::Moves));
  EXPECT_TRUE(has(Builtin::Transpose, Fact::Moves));
  EXPECT_FALSE(has(Builtin::append_row, Fact::Moves));
  EXPECT_TRUE(has(Builtin::append_row, Fact::Moves | Fact::Joins));
  for (const Builtin fn : {Builtin::exp, Builtin::Plus, Builtin::EltTimes, Builtin::abs, Builtin::lmultiply})
    EXPECT_TRUE(has(fn, Fact::Elementwise)) << name_of(fn);
  for (const Builtin fn : {Builtin::Times, Builtin::softmax, Builtin::normal_lpdf, Builtin::target, Builtin::reduce_sum})
    EXPECT_FALSE(has(fn, Fact::Elementwise)) << name_of(fn);
}

// ---------------------------------------------------------------- the sources

/// Where lists of names are at home: the table itself, hints for other languages, implementations under the names of what they
/// implement, mnemonics of machine code.
const Names kHomes = {"frontend/builtins/", "frontend/check/foreign_names.cpp", "autodiff/", "interp/functions/builtin_", "jit/code.h"};
const Names kFolders = {"support", "plugins", "frontend", "mir", "compiler", "codegen", "jit", "interp", "inference", "repl", "bindings", "cli"};

bool is_code(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cpp" || extension == ".inc" || extension == ".def";
}

/// Without comments: they may name what they like.
std::string code_of(const fs::path& path) {
  std::ifstream in(path);
  std::string out;
  for (std::string line; std::getline(in, line);) out += line.substr(0, line.find("//")) + '\n';
  return out;
}

/// Operators as MIR spells them, and functions of which one statement or table quotes three or more.
std::set<std::string> lists_of_names(const std::string& code) {
  static const std::regex kQuoted("\"([A-Za-z][A-Za-z0-9_]*)\"");
  std::set<std::string> out;
  std::istringstream statements(code);
  for (std::string statement; std::getline(statements, statement, ';');) {
    std::set<std::string> functions;
    for (std::sregex_iterator at(statement.begin(), statement.end(), kQuoted), end; at != end; ++at) {
      const std::optional<Builtin> fn = builtin_named((*at)[1].str());
      if (fn && find_operator(*fn)) out.insert((*at)[1]);
      else if (fn) functions.insert((*at)[1]);
    }
    if (functions.size() >= 3) out.merge(functions);
  }
  return out;
}

TEST(BuiltinNames, ListsOfNamesAreSeen) {
  EXPECT_EQ(lists_of_names(R"(constexpr Row kRows[] = {{"exp", 1}, {"log", 2}, {"sqrt", 3}};)").size(), 3u);
  EXPECT_EQ(lists_of_names(R"(if (name == "Plus__") return 1;)").size(), 1u);
  EXPECT_TRUE(lists_of_names(R"(f("exp"); g("log"); h("sqrt"); k("S__");)").empty());
}

TEST(BuiltinNames, NothingElseListsFunctions) {
  const fs::path root = FERMIAC_SOURCE_DIR;
  std::size_t files = 0;
  for (const std::string& folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string file = fs::relative(entry.path(), root).string();
      const bool home = std::ranges::any_of(kHomes, [&](const std::string& prefix) { return file.starts_with(prefix); });
      if (!is_code(entry.path()) || home) continue;
      ++files;
      for (const std::string& name : lists_of_names(code_of(entry.path())))
        ADD_FAILURE() << file << " quotes " << name << ": use Builtin, or a fact of frontend/builtins/functions.def";
    }
  EXPECT_GT(files, 800u);
}

}  // namespace
}  // namespace fermiac
