// tests/golden/mir: what the passes of the middle end do, as MIR in and MIR out.
//
// *.rows: one expression a line, `EXPRESSION => RESULT`, for partial evaluation.
// *.cases (cases.h): programs, or bodies of models over p, q (reals), v (vector[3]) and A (matrix[2, 2]), whose lines `fn …` are
// functions; MIR of log_prob, or of the sections after SHOW.
// Every program goes through the text form before the pass, and has the same density (for `_rng`: the same draws)
// before and after. FERMIAC_UPDATE_GOLDENS=1 rewrites the expectations.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "interp/model/interp_model.h"
#include "tests/golden/cases.h"
#include "tests/shared/mir_test_support.h"

namespace fermiac::test {
namespace {

namespace fs = std::filesystem;

// ---------------------------------------------------------------- programs

struct Ran {
  std::vector<double> numbers;
  std::string message;
};

/// Densities at some points, and the written values at one.
Ran evaluated(const mir::Program& program) {
  auto code = std::make_shared<interp::CompiledModel>();
  code->compilation = std::make_shared<Compilation>(CompileOptions{});
  code->program = program;
  Ran out;
  try {
    code->code = interp::prepare(code->program);
    const interp::InterpModel model(code, interp::DataSource(), 1, [](std::string_view) {});
    std::vector<double> theta(model.unconstrained_size());
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < theta.size(); ++i)
        theta[i] = 0.7 * std::sin(1 + 0.9 * static_cast<double>(i) + 1.7 * k);
      double lp = 0;
      const EvalStatus status = model.log_density_plain(theta, true, &lp);
      out.numbers.push_back(status ? lp : -1e300);
    }
    Rng rng(3);
    std::vector<double> values(model.names(true, true).size());
    out.message = model.workspace()->write_array(theta, true, true, rng, values).message;
    out.numbers.insert(out.numbers.end(), values.begin(), values.end());
  } catch (const std::exception& e) {
    out.message = e.what();
  }
  return out;
}

void expect_same_numbers(const mir::Program& before, const mir::Program& after, const std::string& what) {
  const Ran a = evaluated(before), b = evaluated(after);
  EXPECT_EQ(a.message, b.message) << what;
  ASSERT_EQ(a.numbers.size(), b.numbers.size()) << what;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    if (std::isnan(a.numbers[i]) && std::isnan(b.numbers[i])) continue;
    EXPECT_NEAR(a.numbers[i], b.numbers[i], 1e-12 * std::max(1.0, std::abs(a.numbers[i]))) << what;
  }
}

/// The program as its text form gives it back.
mir::Program through_text(const mir::Program& program) {
  mir::ReadResult read = mir::read_text(mir::to_text(program));
  EXPECT_TRUE(read.program) << read.error;
  return read.program ? std::move(*read.program) : program;
}

mir::Program after(const mir::Program& program, const std::vector<std::string>& passes) {
  mir::Program out = program;
  mir::PassContext context;
  for (const std::string& name : passes) {
    const mir::Pass* pass = mir::find_pass(name);
    EXPECT_NE(pass, nullptr) << name;
    if (pass) pass->run(out, context);
    EXPECT_EQ(mir::verify(out), std::nullopt) << name;
  }
  return out;
}

// ---------------------------------------------------------------- rows

std::string row_program(const std::string& expression) {
  const bool random = expression.find("_rng(") != std::string::npos;
  return "transformed data { array[2] int y = {0, 1}; array[2] int n = {3, 4}; int k = 2; matrix[2, 2] X = [[1, 2], "
         "[0.5, -1]]; } "
         "parameters { real x; real z; real<lower=0> p; real<lower=0, upper=1> u; real<lower=0> s; vector[2] v; "
         "vector[2] w; "
         "matrix[2, 2] A; matrix[2, 2] B; cov_matrix[2] T; } " +
         (random ? "generated quantities { real g = " + expression + "; }" : "model { target += " + expression + "; }");
}

/// The expression of the one statement of interest.
std::string shown(const mir::Program& program, bool random) {
  const std::string text = section(program, random ? "generate_quantities" : "log_prob");
  const std::string head = random ? "g = " : "target += ";
  const std::size_t at = text.find(head);
  if (at == std::string::npos) return text;
  return text.substr(at + head.size(), text.find(";\n", at) - at - head.size());
}

std::string rewritten_row(const std::string& expression) {
  const mir::Program before = through_text(lowered(row_program(expression)));
  const mir::Program now = after(before, {"partial-evaluation"});
  expect_same_numbers(before, now, expression);
  const bool random = expression.find("_rng(") != std::string::npos;
  const std::string from = shown(before, random), to = shown(now, random);
  return from == to ? "=" : to;
}

TEST(MirGolden, Rows) {
  for (const fs::path& path : golden_files("mir", ".rows")) {
    std::vector<std::string> lines = lines_of(path);
    for (std::string& line : lines) {
      if (line.empty() || line[0] == '#') continue;
      const std::size_t arrow = std::min(line.find(" => "), line.size());
      const std::string expression = line.substr(0, arrow);
      const std::string expected = arrow < line.size() ? line.substr(arrow + 4) : "";
      const std::string got = rewritten_row(expression);
      if (updating())
        line = expression + " => " + got;
      else
        EXPECT_EQ(got, expected) << expression;
    }
    if (updating()) write(path, lines);
  }
}

// ---------------------------------------------------------------- cases

std::string whole_program(const std::string& source) {
  if (source.find("parameters {") != std::string::npos || source.find("generated quantities {") != std::string::npos)
    return source;
  std::string functions, body;
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("fn "))
      functions += line.substr(3) + "\n";
    else if (!line.starts_with("PASS") && !line.starts_with("SHOW"))
      body += line + "\n";
  return "functions {\n" + functions + "}\nparameters { real p; real q; vector[3] v; matrix[2, 2] A; }\nmodel {\n" +
         body + "}\n";
}

/// Declarations that all bodies have in common.
bool is_common(const std::string& line) {
  for (const char* text : {"  real p;", "  real q;", "  vector[3] v;", "  matrix[2, 2] A;"})
    if (line == text) return true;
  return false;
}

std::string shown(const mir::Program& program, const std::vector<std::string>& sections) {
  std::string out;
  for (const std::string& name : sections) {
    const std::string text = section(program, name);
    std::istringstream in(text);
    if (sections.size() > 1) out += name + "\n";
    for (std::string line; std::getline(in, line);)
      if (line.find_first_not_of(' ') != std::string::npos && !is_common(line)) out += line + "\n";
  }
  return out;
}

TEST(MirGolden, Cases) {
  const std::size_t count = check_cases("mir", [](const fs::path&, const Case& c) -> Shown {
    const mir::Program before = through_text(lowered(whole_program(c.source)));
    const mir::Program now = after(before, c.passes);
    expect_same_numbers(before, now, c.name);
    return {shown(before, c.sections), shown(now, c.sections)};
  });
  EXPECT_GT(count, 50u);
}

}  // namespace
}  // namespace fermiac::test
