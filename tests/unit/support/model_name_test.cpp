// Names of models by the rule of the reference compiler, and the names of files that come from them.
#include "support/base/model_name.h"

#include <gtest/gtest.h>

namespace fermiac {
namespace {

TEST(ModelName, IsMadeOfThePath) {
  EXPECT_EQ(model_name("models/eight-schools.stan"), "eight_schools_model");
  EXPECT_EQ(model_name("lib/f.stanfunctions"), "f_model");
  EXPECT_EQ(model_name("a b.c.stan"), "ax32bx46c_model");
  EXPECT_EQ(model_name("-"), "stdin");
}

TEST(ModelName, IsAsGivenWhereItIsNoPath) {
  EXPECT_EQ(model_name("given"), "given");
  EXPECT_EQ(model_name("a/given"), "given_model");
}

TEST(ModelName, BeginsWithALetterOrGetsAMark) {
  EXPECT_EQ(model_name("models/2pl_latent.stan"), "_2pl_latent_model");
  EXPECT_EQ(model_name("_x.stan"), "__x_model");
  EXPECT_EQ(model_name("8schools"), "_8schools");
}

TEST(ModelName, OfFilesHasNeitherMarkNorEnding) {
  for (const char* stem : {"2pl_latent", "_x", "schools", "a_model"})
    EXPECT_EQ(bare_model_name(model_name(std::string(stem) + ".stan")), stem);
  EXPECT_EQ(bare_model_name("_model"), "model");
  EXPECT_EQ(plain_name_of_file("a/my model.stan"), "my_model");
  EXPECT_EQ(plain_name_of_file("2pl-b.stan"), "2pl_b");
}

}  // namespace
}  // namespace fermiac
