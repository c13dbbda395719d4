#include "support/model_name.h"

#include <gtest/gtest.h>

namespace fermiac {
namespace {

TEST(ModelName, ByStancsRules) {
  const std::pair<const char*, const char*> cases[] = {
      {"eight_schools.stan", "eight_schools_model"}, {"models/a-b.stan", "a_b_model"},     {"2pl.stan", "_2pl_model"},
      {"a b.stan", "ax32b_model"},                   {"f.stanfunctions", "f_model"},       {"é.stan", "x195x169_model"},
      {"named", "named"},                            {"a/b", "b_model"},                   {"-", "stdin"},
      {"1", "_1"},                                   {"_a.stan", "__a_model"}};
  for (const auto& [source, name] : cases) EXPECT_EQ(model_name(source), name) << source;
}

TEST(ModelName, PlainNamesAreForFiles) {
  EXPECT_EQ(plain_name_of_file("models/eight-schools.stan"), "eight_schools");
  EXPECT_EQ(plain_name_of_file("2pl.stan"), "2pl");
  EXPECT_EQ(plain_name_of_file("a b.c"), "a_b_c");
}

}  // namespace
}  // namespace fermiac
