// Every distribution of the language has a law, and every law is a distribution of the language.
#include "autodiff/distributions/detail/law.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/table.h"

namespace fermiac::ad {
namespace {

bool has_kind(const BuiltinRow& row, std::string_view kind) {
  return row.kinds.find(kind) != std::string_view::npos;
}

/// `name` as a word of its own.
bool mentions(std::string_view text, std::string_view name) {
  const auto is_word = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

TEST(Laws, AreTheDistributionsOfTheLanguage) {
  for (const BuiltinRow& row : distribution_rows()) {
    const Law* law = find_law(row.name);
    ASSERT_NE(law, nullptr) << row.name;
    EXPECT_FALSE(law->formula.empty()) << row.name;
  }
  std::set<std::string_view> names;
  for (const Law* law : all_laws()) {
    EXPECT_NE(find_distribution(law->name), nullptr) << law->name;
    EXPECT_TRUE(names.insert(law->name).second) << law->name << " occurs twice";
  }
}

TEST(Laws, NameTheirArgumentsAsTheTableDoes) {
  for (const Law* law : all_laws()) {
    const std::vector<ArgumentDoc> docs = argument_docs(*find_distribution(law->name));
    ASSERT_EQ(docs.size(), law->arguments.size()) << law->name;
    for (std::size_t j = 0; j < docs.size(); ++j) EXPECT_EQ(docs[j].name, law->arguments[j].name) << law->name;
  }
}

TEST(Laws, FormulasAreOfTheArguments) {
  for (const Law* law : all_laws()) {
    if (law->formula.starts_with("as ")) continue;  // what is not said is as in the other law
    for (const LawArgument& a : law->arguments)
      EXPECT_TRUE(mentions(law->formula, a.name)) << law->name << ": " << a.name << " in " << law->formula;
  }
}

TEST(Laws, CountWhatHasAMassFunction) {
  for (const Law* law : all_laws()) {
    const BuiltinRow& row = *find_distribution(law->name);
    EXPECT_EQ(law->counts, has_kind(row, "lpmf") || law->name == "hmm_latent") << law->name;
  }
}

}  // namespace
}  // namespace fermiac::ad
