// Reading and assigning parts of containers.
#include <gtest/gtest.h>

#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

using Numbers = std::vector<double>;

const std::string kContainers = R"(
  vector[4] v = [1, 2, 3, 4]';
  row_vector[3] w = [5, 6, 7];
  matrix[2, 3] m = [[1, 2, 3], [4, 5, 6]];
  array[3] int k = {3, 1, 2};
  array[2, 3] int kk = {{1, 2, 3}, {4, 5, 6}};
  array[2] vector[2] av = {[1, 2]', [3, 4]'};
  array[2] matrix[2, 2] am = {[[1, 2], [3, 4]], [[5, 6], [7, 8]]};
  array[2] tuple(int, vector[2]) at = {(1, [2, 3]'), (4, [5, 6]')};
)";

Numbers read(const std::string& declaration) {
  return results(kContainers + declaration);
}

struct Case {
  const char* text;
  Numbers expected;  // in output order: column-major over all dimensions
};

TEST(Indexing, Reads) {
  const Case cases[] = {
      {"real r = v[2];", {2}},
      {"vector[2] r = v[2:3];", {2, 3}},
      {"vector[3] r = v[2:];", {2, 3, 4}},
      {"vector[2] r = v[:2];", {1, 2}},
      {"vector[4] r = v[:];", {1, 2, 3, 4}},
      {"vector[3] r = v[k];", {3, 1, 2}},
      {"vector[4] r = v[{4, 4, 1, 1}];", {4, 4, 1, 1}},
      {"vector[0] r = v[3:2];", {}},
      {"row_vector[2] r = w[{3, 1}];", {7, 5}},
      {"real r = m[2, 3];", {6}},
      {"row_vector[3] r = m[2];", {4, 5, 6}},
      {"row_vector[2] r = m[2, 2:3];", {5, 6}},
      {"vector[2] r = m[:, 2];", {2, 5}},
      {"vector[2] r = m[{2, 1}, 3];", {6, 3}},
      {"matrix[1, 3] r = m[2:2];", {4, 5, 6}},
      {"matrix[2, 2] r = m[{2, 1}, 2:3];", {5, 2, 6, 3}},
      {"matrix[2, 3] r = m[:, :];", {1, 4, 2, 5, 3, 6}},
      {"int r = kk[2, 1];", {4}},
      {"array[3] int r = kk[2];", {4, 5, 6}},
      {"array[2] int r = kk[:, 3];", {3, 6}},
      {"array[2, 2] int r = kk[{2, 1}, 2:3];", {5, 2, 6, 3}},
      {"vector[2] r = av[2];", {3, 4}},
      {"real r = av[2, 1];", {3}},
      {"array[2] real r = av[:, 2];", {2, 4}},
      {"array[1] vector[1] r = av[2:2, 2:2];", {4}},
      {"real r = am[2, 1, 2];", {6}},
      {"row_vector[2] r = am[2, 1];", {5, 6}},
      {"array[2] vector[2] r = am[:, :, 1];", {1, 5, 3, 7}},
      {"array[2] row_vector[2] r = am[{2, 1}, 2];", {7, 3, 8, 4}},
      {"real r = at[2].2[1];", {5}},
      {"vector[2] r = at[1].2;", {2, 3}},
      {"real r = v[k][1];", {3}},
      {"real r = (v + 1)[3];", {4}},
      {"array[1] tuple(int, vector[2]) r = at[2:2];", {4, 5, 6}},
  };
  for (const Case& c : cases) EXPECT_EQ(read(c.text), c.expected) << c.text;
}

TEST(Indexing, Assignments) {
  const Case cases[] = {
      {"vector[4] r = v; r[2] = 9;", {1, 9, 3, 4}},
      {"vector[4] r = v; r[2:3] = [8, 9]';", {1, 8, 9, 4}},
      {"vector[4] r = v; r[{4, 1}] = [8, 9]';", {9, 2, 3, 8}},
      {"vector[4] r = v; r[2:4] = r[1:3];", {1, 1, 2, 3}},
      {"vector[4] r = v; r[:] = r[{4, 3, 2, 1}];", {4, 3, 2, 1}},
      {"matrix[2, 3] r = m; r[2, 1] = 9;", {1, 9, 2, 5, 3, 6}},
      {"matrix[2, 3] r = m; r[1] = [7, 8, 9];", {7, 4, 8, 5, 9, 6}},
      {"matrix[2, 3] r = m; r[:, 2] = [8, 9]';", {1, 4, 8, 9, 3, 6}},
      {"matrix[2, 3] r = m; r[2, 2:3] = [8, 9];", {1, 4, 2, 8, 3, 9}},
      {"matrix[2, 3] r = m; r[{2, 1}, {3, 1}] = [[1, 2], [3, 4]];", {4, 2, 2, 5, 3, 1}},
      {"array[2, 3] int r = kk; r[2, 3] = 0;", {1, 4, 2, 5, 3, 0}},
      {"array[2, 3] int r = kk; r[1] = {7, 8, 9};", {7, 4, 8, 5, 9, 6}},
      {"array[2, 3] int r = kk; r[:, 2] = {8, 9};", {1, 4, 8, 9, 3, 6}},
      {"array[2] vector[2] r = av; r[1] = [8, 9]';", {8, 3, 9, 4}},
      {"array[2] vector[2] r = av; r[2, 1] = 9;", {1, 9, 2, 4}},
      {"array[2] matrix[2, 2] r = am; r[2, 1] = [8, 9];", {1, 8, 3, 7, 2, 9, 4, 8}},
      {"array[2] tuple(int, vector[2]) r = at; r[2].2[1] = 9;", {1, 2, 3, 4, 9, 6}},
      {"array[2] tuple(int, vector[2]) r = at; r[1].1 = 9;", {9, 2, 3, 4, 5, 6}},
      {"array[2] tuple(int, vector[2]) r = at; r[1] = (7, [8, 9]');", {7, 8, 9, 4, 5, 6}},
      {"vector[4] r = v; r += 1; r[1] *= 5; r[2:3] -= 1;", {10, 2, 3, 5}},
  };
  for (const Case& c : cases) EXPECT_EQ(read(c.text), c.expected) << c.text;
}

TEST(Indexing, AssigningOneCopyLeavesTheOther) {
  EXPECT_EQ(results("vector[2] a = [1, 2]'; vector[2] r = a; a[1] = 9;"), (Numbers{1, 2}));
  EXPECT_EQ(results("tuple(int, vector[2]) a = (1, [1, 2]'); vector[2] r = a.2; a.2[1] = 9;"), (Numbers{1, 2}));
}

TEST(Indexing, ErrorsNameVariableIndexAndSize) {
  const std::string error = error_of(kContainers + "real r = v[5];");
  EXPECT_NE(error.find("v: accessing element out of range. index 5 out of range; expecting index to be between 1 and 4"), std::string::npos) << error;
  EXPECT_NE(error.find("(in 'test.stan', line"), std::string::npos) << error;
  EXPECT_NE(error_of(kContainers + "real r = m[3, 1];").find("index 3 out of range; expecting index to be between 1 and 2"),
            std::string::npos);
  EXPECT_NE(error_of(kContainers + "real r = m[1, 0];").find("index 0 out of range; expecting index to be between 1 and 3"),
            std::string::npos);
  EXPECT_NE(error_of(kContainers + "vector[2] r = v[4:5];").find("index 5 out of range"), std::string::npos);
  EXPECT_NE(error_of(kContainers + "vector[2] r = v[{1, 7}];").find("index 7 out of range"), std::string::npos);
  EXPECT_NE(error_of(kContainers + "vector[4] r = v; r[0] = 1;").find("r: accessing element out of range. index 0 out of range"), std::string::npos);
  EXPECT_NE(error_of("vector[0] e; real r = e[1];").find("e, which is empty"), std::string::npos);
}

TEST(Indexing, SizesMustMatch) {
  EXPECT_NE(error_of(kContainers + "vector[3] r = v;").find("r"), std::string::npos);
  EXPECT_NE(error_of(kContainers + "vector[4] r = v; r[1:2] = v[1:3];").find("vector[2]"), std::string::npos);
  EXPECT_NE(error_of(kContainers + "vector[4] r; r = v[1:3];").find("vector[4]"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
