// Data from several files: tables beside JSON and R dumps, sizes that follow from them, what is refused.
#include "interp/io/data_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interp/io/print.h"
#include "interp/model/interp_model.h"

namespace fermiac::interp {
namespace {

namespace fs = std::filesystem;

class DataFiles : public testing::Test {
 protected:
  void SetUp() override {
    old_ = fs::current_path();
    const fs::path folder = fs::path(testing::TempDir()) / ("fermiac_data_files_" + std::to_string(getpid()));
    fs::create_directories(folder);
    fs::current_path(folder);
  }
  void TearDown() override {
    const fs::path folder = fs::current_path();
    fs::current_path(old_);
    fs::remove_all(folder);
  }
  static void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }

  /// The sizes that were derived and the data block's variables as the program prints them, or what is wrong.
  static std::string bound(const std::string& block, const std::vector<std::string>& files) {
    const auto compiled = compile_model({.text = "data {" + block + "}", .path = "m.stan", .name = "m_model"});
    EXPECT_TRUE(*compiled);
    try {
      std::vector<DerivedSize> sizes;
      const DataSource data = open_data_files(files, &compiled->program, &sizes);
      const InterpModel model(compiled, data, 1, [](std::string_view) {});
      std::string out = derived_text(sizes) + ";";
      for (const mir::InputVar& input : compiled->program.input_vars)
        out += fmt::format(" {} = {}", input.name, print_text({}, model.globals()[compiled->code->global_slots.at(input.name)]));
      return out;
    } catch (const std::exception& e) {
      return e.what();
    }
  }

 private:
  fs::path old_;
};

TEST_F(DataFiles, ColumnsAndTheirSizes) {
  write("t.csv", "\"\",\"g\",\"x\",\"used\",\"name\"\n\"1\",2,0.5,TRUE,\"Ann\"\n\"2\",1,1e3,FALSE,\"Bo\"\n\"3\",3,-Inf,TRUE,\"Cy\"\n");
  EXPECT_EQ(bound("int<lower=0> N; int J; array[N] int<lower=1, upper=J> g; vector[N] x; array[N] int used;", {"t.csv"}),
            "N = 3 (rows of t.csv), J = 3 (largest g of t.csv); N = 3 J = 3 g = [2,1,3] x = [0.5,1000,-inf] used = [1,0,1]");
}

TEST_F(DataFiles, ManyColumnsAreOneMatrix) {
  write("t.csv", "X.1,X.2,X.3,y\n1,2,3,4\n5,6,7,8\n");
  EXPECT_EQ(bound("int N; int K; matrix[N, K] X; row_vector[N] y;", {"t.csv"}),
            "N = 2 (rows of t.csv), K = 3 (columns X.1 to X.3 of t.csv); N = 2 K = 3 X = [[1,2,3],[5,6,7]] y = [4,8]");
  write("t.tsv", "w[2]\tw[1]\n1\t2\n");
  EXPECT_EQ(bound("array[1] vector[2] w;", {"t.tsv"}), "; w = [[2,1]]");
  EXPECT_EQ(bound("vector[2] w;", {"t.tsv"}), "; w = [2,1]");  // one row
  write("gap.csv", "X.1,X.3\n1,2\n");
  EXPECT_EQ(bound("matrix[1, 2] X;", {"gap.csv"}), "gap.csv: the columns of 'X' have no number 2");
}

TEST_F(DataFiles, NumbersOfOneRow) {
  write("one.csv", "a,n\n0.5,3\n");
  EXPECT_EQ(bound("real a; int n; array[1] int m;", {"one.csv"}), "one.csv: the variable 'm' is missing; it is declared as array[1] int; there are the columns 'a', 'n'");
  EXPECT_EQ(bound("real a; int n;", {"one.csv"}), "; a = 0.5 n = 3");
  write("two.csv", "a\n1\n2\n");
  EXPECT_EQ(bound("real a;", {"two.csv"}),
            "two.csv: the column 'a' has 2 rows, but the program declares one number of this name; give it in another file");
}

TEST_F(DataFiles, SeveralFilesAreJoined) {
  write("t.csv", "x\n1\n2\n");
  write("more.json", R"({"scale": 2.5, "unused": 1})");
  write("old.R", "k <- c(1, 2, 3)\n");
  const std::string block = "int N; vector[N] x; real scale; array[3] int k;";
  EXPECT_EQ(bound(block, {"t.csv", "more.json", "old.R"}), "N = 2 (rows of t.csv); N = 2 x = [1,2] scale = 2.5 k = [1,2,3]");
  EXPECT_EQ(bound(block, {"old.R", "t.csv", "more.json"}), "N = 2 (rows of t.csv); N = 2 x = [1,2] scale = 2.5 k = [1,2,3]");
  write("n.json", R"({"N": 3})");
  EXPECT_EQ(bound("int N; vector[N] x;", {"t.csv", "n.json"}),
            "t.csv: variable 'x' has 2 elements, but must have 3; the variable is declared as vector[3]");
}

TEST_F(DataFiles, ANameInTwoFilesNamesBoth) {
  write("t.csv", "x,id\n1,7\n2,8\n");
  write("u.csv", "x,id\n1,7\n2,8\n");
  write("x.json", R"({"x": [1, 2]})");
  write("y.json", R"({"x": [1, 2]})");
  EXPECT_EQ(bound("vector[2] x;", {"t.csv", "x.json"}), "the variable 'x' is given twice: in x.json and in t.csv");
  EXPECT_EQ(bound("vector[2] x;", {"t.csv", "u.csv"}), "the variable 'x' is given twice: in t.csv and in u.csv");
  EXPECT_EQ(bound("vector[2] x;", {"x.json", "y.json"}), "the variable 'x' is given twice: in x.json and in y.json");
}

TEST_F(DataFiles, TablesOfDifferentLengths) {
  write("t.csv", "x\n1\n2\n");
  write("u.csv", "y\n1\n2\n3\n");
  EXPECT_EQ(bound("int N; vector[N] x; vector[N] y;", {"t.csv", "u.csv"}), "'N' would be 2 (rows of t.csv) and 3 (rows of u.csv)");
  EXPECT_EQ(bound("int N; int M; vector[N] x; vector[M] y;", {"t.csv", "u.csv"}),
            "N = 2 (rows of t.csv), M = 3 (rows of u.csv); N = 2 M = 3 x = [1,2] y = [1,2,3]");
}

TEST_F(DataFiles, CellsThatAreNoNumbers) {
  write("t.csv", "# by hand\nsex,y\nmale,1\n\nfemale,NA\n");
  EXPECT_EQ(bound("array[2] int sex;", {"t.csv"}),
            "t.csv, line 3: variable 'sex', element [1] is the string \"male\", but must be an integer; the variable is declared as array[2] int");
  EXPECT_NE(bound("vector[2] y;", {"t.csv"}).find("t.csv, line 5: variable 'y', element [2] is null"), std::string::npos);
}

TEST_F(DataFiles, LinesOfCellsWhereverTheirColumnStands) {
  write("t.csv", "g,x,X.1,X.2\n1,0.5,1,2\n1.5,n/a,3,-\n");
  const auto refused = [&](const std::string& block) {
    const std::string what = bound(block, {"t.csv"});
    return what.substr(0, what.find(", but"));
  };
  EXPECT_EQ(refused("vector[2] x;"), "t.csv, line 3: variable 'x', element [2] is the string \"n/a\"");
  EXPECT_EQ(refused("matrix[2, 2] X; array[2] int g;"), "t.csv, line 3: variable 'X', element [2,2] is the string \"-\"");
  EXPECT_EQ(refused("array[2] real g; vector[2] x;"), "t.csv, line 3: variable 'x', element [2] is the string \"n/a\"");
  EXPECT_EQ(refused("array[2] int g;"), "t.csv, line 3: variable 'g', element [2] is 1.5");
  EXPECT_EQ(refused("array[3] real g;"), "t.csv: variable 'g' has 2 elements");
  write("one.csv", "a,b\n1,x\n");
  EXPECT_EQ(bound("real a; int b;", {"one.csv"}),
            "one.csv, line 2: variable 'b' is the string \"x\", but must be an integer; the variable is declared as int");
}

TEST_F(DataFiles, ColumnsThatAreNotThoseOfTheProgram) {
  write("t.csv", "X,Y\n1,2\n3,4\n");
  EXPECT_EQ(bound("int N; vector[N] x; vector[N] y;", {"t.csv"}),
            "t.csv: the variable 'N' is missing; it is declared as int; there is 'X': did you mean 'x'?");
  write("u.csv", "1,2\n3,4\n");
  EXPECT_EQ(bound("int N; vector[N] x;", {"u.csv"}), "u.csv: the variable 'N' is missing; it is declared as int; there are the columns '1', '2'");
}

TEST_F(DataFiles, DecimalsBehindAComma) {
  write("t.csv", "x;y\n0,5;1\n1,5;2\n");
  EXPECT_EQ(bound("vector[2] x;", {"t.csv"}),
            "t.csv, line 2: variable 'x', element [1] is the string \"0,5\", but must be a number, with a point before its decimals; "
            "the variable is declared as vector[2]");
}

TEST_F(DataFiles, SimilarNames) {
  write("d.json", R"({"n": 2, "Y": [1, 2], "N_obs": 1, "sgima": 1})");
  EXPECT_EQ(bound("int N;", {"d.json"}), "d.json: the variable 'N' is missing; it is declared as int; there is 'n': did you mean 'N'?");
  EXPECT_EQ(bound("int Nobs;", {"d.json"}), "d.json: the variable 'Nobs' is missing; it is declared as int; there is 'N_obs': did you mean 'Nobs'?");
  EXPECT_EQ(bound("int n; vector[n] Y; real K;", {"d.json"}), "d.json: the variable 'K' is missing; it is declared as real");
  EXPECT_EQ(bound("int n; int N;", {"d.json"}), "d.json: the variable 'N' is missing; it is declared as int");  // n has its own meaning
  write("t.csv", "Weight\n1\n");
  EXPECT_EQ(bound("vector[1] weight;", {"t.csv"}),
            "t.csv: the variable 'weight' is missing; it is declared as vector[1]; there is 'Weight': did you mean 'weight'?");
}

TEST_F(DataFiles, WithoutAProgramAllColumnsAreVariables) {
  write("t.csv", "x,X.1,X.2,name\n1,2,3.5,Ann\n2,4,5,Bo\n");
  write("d.json", R"({"n": 2, "r": 0.5, "t": {"1": 2}})");
  std::vector<DerivedSize> none;
  const DataSource data = open_data_files({"t.csv", "d.json"}, nullptr, &none);
  EXPECT_EQ(data.undeclared_type("x")->str(), "array[2] int");
  EXPECT_EQ(data.undeclared_type("X")->str(), "array[2, 2] real");
  EXPECT_EQ(data.undeclared_type("n")->str(), "int");
  EXPECT_EQ(data.undeclared_type("r")->str(), "real");
  EXPECT_FALSE(data.undeclared_type("t"));
}

}  // namespace
}  // namespace fermiac::interp
