// Runs stanc on every program under tests/golden/cpp and compares the parts of its C++ that the program names with the
// block at its end:
//
//   // RUN: %s                  the arguments besides --print-cpp
//   // WHY: one sentence
//   // SHOW: log_prob           functions, constructor, log_prob, reverse, write_array, unconstrain_array,
//   transform_inits,
//                               outputs, wrappers; several
//   …program…
//   //|log_prob
//   //| text, line by line
//
// Of a body the lines between `try {` and its end, without numbers of places unless `places` is among the names. All
// texts together must be C++: a compiler reads them with declarations in place of the Stan headers.
// FERMIAC_UPDATE_GOLDENS=1 rewrites the blocks.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "frontend/builtins/builtins.h"
#include "tests/golden/block.h"

namespace {

namespace fs = std::filesystem;
using namespace fermiac::golden;  // NOLINT: its blocks

const fs::path kPrograms = FERMIAC_SOURCE_DIR "/tests/golden/cpp";

/// Where a part of the text begins, after what; where it ends.
struct PartRow {
  const char *name, *begin, *end;
};
constexpr PartRow kParts[] = {
    {"functions", "\n\n", "\nclass "},
    {"constructor", "model_base_crtp(0) {", "    } catch"},
    {"log_prob", "require_not_st_var", "    } catch"},
    {"reverse", "require_st_var", "    } catch"},
    {"write_array", "write_array_impl(RNG__", "    } catch"},
    {"unconstrain_array", "unconstrain_array_impl(const", "    } catch"},
    {"transform_inits", "transform_inits_impl(const", "    } catch"},
    {"outputs", "  void get_param_names", "  template <typename RNG__>\n  inline void write_array("},
    {"members", " private:\n", "\n public:"},
    {"wrappers", "\n// [[stan::function]]", ""}};

std::string part(const std::string& text, const PartRow& row) {
  std::size_t begin = 0;
  if (std::string(row.name) == "functions") begin = text.find("locations_array__ = ");
  begin = text.find(row.begin, begin);
  if (begin == std::string::npos) return "not found\n";
  const bool body = std::string(row.end) == "    } catch";
  begin = body                                 ? text.find("try {\n", begin) + 6
          : std::string(row.name) == "outputs" ? begin
                                               : text.find('\n', begin) + 1;
  return text.substr(begin, *row.end ? text.find(row.end, begin) - begin : std::string::npos);
}

std::string without_places(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (line.find("current_statement__ = ") == std::string::npos) out += line + "\n";
  return out;
}

/// The words after `// SHOW: `.
std::vector<std::string> shown(const std::string& program) {
  const std::size_t at = program.find("// SHOW: ") + 9;
  std::istringstream in(program.substr(at, program.find('\n', at) - at));
  return {std::istream_iterator<std::string>(in), {}};
}

/// What stanc prints; the program goes to `folder`.
std::string emitted(const fs::path& file, const std::string& program, const fs::path& folder) {
  spill(folder / file.filename(), program);
  const fs::path out = folder / (file.stem().string() + ".hpp");
  const std::string command = "cd '" + folder.string() + "' && '" FERMIAC_BINARY_DIR "/bin/stanc' </dev/null " +
                              arguments(program, file) + " -o '" + out.string() + "' >stdout.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << slurp(folder / "stdout.txt");
  return slurp(out);
}

std::string block(const std::string& text, const std::string& program) {
  const std::vector<std::string> names = shown(program);
  const bool places = std::find(names.begin(), names.end(), "places") != names.end();
  std::string out;
  for (const std::string& name : names) {
    if (name == "places") continue;
    const auto* row =
        std::find_if(std::begin(kParts), std::end(kParts), [&](const PartRow& r) { return name == r.name; });
    EXPECT_NE(row, std::end(kParts)) << "no part is called " << name;
    if (row == std::end(kParts)) continue;
    const std::string found = part(text, *row);
    out += section(name, places ? found : without_places(found));
  }
  return out;
}

class Folder {
 public:
  Folder() : path_(fs::path(testing::TempDir()) / ("golden_cpp." + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class CppGolden : public testing::TestWithParam<fs::path> {};

TEST_P(CppGolden, Matches) {
  const Folder folder;
  const std::string text = slurp(GetParam());
  const std::size_t end = std::min(text.find("//|"), text.size());
  const std::string program = text.substr(0, end);
  EXPECT_NE(program.find("// RUN: "), std::string::npos);
  EXPECT_NE(program.find("// WHY: "), std::string::npos);
  const std::string got = block(emitted(GetParam(), program, folder.path()), program);
  if (std::getenv("FERMIAC_UPDATE_GOLDENS")) return spill(GetParam(), program + got);
  EXPECT_EQ(text.substr(end), got);
}

INSTANTIATE_TEST_SUITE_P(Programs, CppGolden, testing::ValuesIn(files_in(kPrograms)),
                         [](const auto& test) { return test_name(test.param); });

/// Every function of the table by a declaration that takes anything.
std::string library_names() {
  std::string out = "namespace stan {\nnamespace math {\n";
  const auto declare = [&](const std::string& name) {
    out += "template <typename... A> any " + name + "(const A&...);\ntemplate <bool, typename... A> any " + name +
           "(const A&...);\n";
  };
  for (const std::string& name : fermiac::builtin_names())
    if (!name.ends_with("_lupdf") && !name.ends_with("_lupmf")) declare(name);
  for (const char* name : {"logical_eq",
                           "logical_neq",
                           "logical_lt",
                           "logical_lte",
                           "logical_gt",
                           "logical_gte",
                           "primitive_value",
                           "modulus",
                           "minus",
                           "elt_multiply",
                           "elt_divide",
                           "mdivide_left",
                           "mdivide_right",
                           "multiply_log",
                           "binomial_coefficient_log",
                           "inv_Phi",
                           "get_lp",
                           "eval",
                           "to_matrix_cl",
                           "from_var_value",
                           "to_var_value",
                           "validate_non_negative_index",
                           "validate_positive_index",
                           "validate_unit_vector_index",
                           "check_greater_or_equal",
                           "check_less_or_equal",
                           "check_ordered",
                           "check_positive_ordered",
                           "check_simplex",
                           "check_unit_vector",
                           "check_sum_to_zero",
                           "check_cholesky_factor",
                           "check_cholesky_factor_corr",
                           "check_corr_matrix",
                           "check_cov_matrix",
                           "check_stochastic_row",
                           "check_stochastic_column",
                           "check_matching_dims",
                           "laplace_marginal",
                           "ode_rk45",
                           "ode_bdf_tol",
                           "solve_newton",
                           "solve_powell_tol",
                           "lb_constrain",
                           "simplex_constrain",
                           "ub_free"})
    if (!fermiac::is_builtin(name)) declare(name);
  return out + "}  // namespace math\n}  // namespace stan\n";
}

TEST(CppGoldens, AreCpp) {
  const Folder folder;
  std::string all = "#define USING_R\n";
  for (const fs::path& file : files_in(kPrograms)) {
    const std::string text = slurp(file);
    emitted(file, text.substr(0, text.find("//|")), folder.path());
    const std::string stem = file.stem().string();
    all += "#define stan_model stan_model_" + stem + "\n#include \"" + stem + ".hpp\"\n#undef stan_model\n";
  }
  spill(folder.path() / "library_names.hpp", library_names());
  spill(folder.path() / "all.cpp", all);
  const std::string command = "cd '" + folder.path().string() +
                              "' && " FERMIAC_CXX
                              " -std=c++17 -fsyntax-only -Wall -Wextra -Werror -I. "
                              "-isystem '" FERMIAC_SOURCE_DIR
                              "/tests/golden/stan_declarations' -isystem '" FERMIAC_EIGEN "' all.cpp >errors.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << slurp(folder.path() / "errors.txt");
}

}  // namespace
