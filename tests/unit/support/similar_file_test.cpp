// Names of files that are not there: what lies beside them may have been meant.
#include "support/base/text_file.h"

#include <gtest/gtest.h>

#include "tests/shared/own_folder.h"

namespace fermiac {
namespace {

TEST(SimilarFile, AFewLettersOrAnEndingAway) {
  const testing::OwnFolder folder;
  for (const char* name : {"line.stan", "line.json", "schools.json"}) folder.write(name, "x");
  EXPECT_EQ(similar_file(folder.at("lien.stan")), "; did you mean '" + folder.at("line.stan") + "'?");
  EXPECT_EQ(similar_file(folder.at("school")), "");
  EXPECT_EQ(similar_file(folder.at("schools")), "; did you mean '" + folder.at("schools.json") + "'?");
  EXPECT_EQ(similar_file(folder.at("wells.csv")), "");
  EXPECT_EQ(similar_file(folder.at("none/line.stan")), "");
}

}  // namespace
}  // namespace fermiac
