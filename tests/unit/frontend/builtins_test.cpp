#include "frontend/builtins/builtins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/shared/unzipped.h"

namespace fermiac {
namespace {

const std::string kGolden = std::string(FERMIAC_SOURCE_DIR) + "/tests/golden/";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

const Signature& overload(std::string_view name, const std::vector<Type>& types) {
  static const Signature none;
  for (const auto& signature : signatures(name))
    if (std::ranges::equal(signature.formals, types, {}, &Formal::type)) return signature;
  ADD_FAILURE() << "no such overload of " << name;
  return none;
}

TEST(Builtins, DumpIsTheLanguagesSignatureList) {
  const auto expected = lines_of(unzipped(kGolden + "signatures.txt.gz"));
  const auto found = lines_of(dump_signatures());
  ASSERT_EQ(expected.size(), 24246u);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(found[i], expected[i]) << "line " << i + 1;
}

TEST(Builtins, DistributionDump) {
  std::ifstream in(kGolden + "distributions.txt");
  std::stringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(dump_distributions(), expected.str());
}

TEST(Builtins, NamesOfAFamilyLeadToItsRow) {
  ASSERT_NE(find_builtin("normal_lpdf"), nullptr);
  EXPECT_EQ(find_builtin("normal_lpdf"), find_builtin("normal_rng"));
  EXPECT_EQ(find_builtin("normal_lcdf")->name, "normal");
  EXPECT_EQ(find_builtin("beta")->doc, "beta function");
  EXPECT_EQ(find_builtin("beta_lpdf"), find_distribution("beta"));
  for (auto unknown : {"normal", "normal_lpmf", "loglogistic_lcdf", "beta_proportion_cdf", "nonsense", ""})
    EXPECT_EQ(find_builtin(unknown), nullptr) << unknown;
  EXPECT_TRUE(signatures("nonsense").empty());
}

TEST(Builtins, EveryRowSaysWhatItIs) {
  for (const auto& name : builtin_names()) {
    const auto* row = find_builtin(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_FALSE(row->doc.empty()) << name;
    EXPECT_FALSE(signatures(name).empty()) << name;
    EXPECT_EQ(signatures(name).front().name, name);
  }
}

TEST(Builtins, OverloadsAreKeptNotRebuilt) {
  EXPECT_EQ(signatures("wiener_lpdf").data(), signatures("wiener_lpdf").data());
}

TEST(Builtins, DataOnlyArguments) {
  for (const auto& signature : signatures("quantile"))
    for (const auto& formal : signature.formals) EXPECT_TRUE(formal.data_only);
  for (const auto& formal : signatures("normal_lpdf").front().formals) EXPECT_FALSE(formal.data_only);
  const auto& solver = signatures("map_rect").front();
  EXPECT_TRUE(solver.formals[3].data_only);
  EXPECT_TRUE(solver.formals[0].type.signature().formals[2].data_only);
}

TEST(Builtins, MemoryPatterns) {
  EXPECT_TRUE(supports_soa(overload("exp", {BaseType::Vector})));
  EXPECT_FALSE(supports_soa(overload("exp", {BaseType::Complex})));
  EXPECT_TRUE(supports_soa(overload("to_vector", {BaseType::Matrix})));
  EXPECT_FALSE(supports_soa(overload("to_vector", {Type(BaseType::Real, 1)})));
  EXPECT_FALSE(supports_soa(overload("append_row", {BaseType::Vector, BaseType::Vector})));
  const auto count = [](std::string_view name) {
    const auto all = signatures(name);
    return std::ranges::count_if(all, [](const Signature& signature) { return supports_soa(signature); });
  };
  EXPECT_EQ(count("wiener_lpdf"), 1024);
  EXPECT_EQ(count("divide"), 8);
  EXPECT_EQ(count("abs"), 40);
}

TEST(Builtins, ArgumentsOfDensities) {
  const auto docs = argument_docs(*find_distribution("student_t"));
  ASSERT_EQ(docs.size(), 4u);
  EXPECT_EQ(docs[0].name, "y");
  EXPECT_EQ(docs[1].role, "degrees of freedom");
  EXPECT_EQ(docs[1].domain, "+");
  EXPECT_EQ(docs[2].domain, "");
  EXPECT_EQ(docs[3].name, "sigma");
}

}  // namespace
}  // namespace fermiac
