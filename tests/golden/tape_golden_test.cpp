// tests/golden/tape: what the passes over the tape do (autodiff/tape/rewrite), as the trace before the last of the passes and after it.
// PASS.cases (cases.h) has the cases of one pass: programs, or bodies of models over p, q (reals), v (vector[N]) and y (data of the
// same size), whose lines `fn …` are functions. Of long traces a part is shown. The density and its gradient are those of the trace as
// recorded, with these passes and with all; the density to the bit where all passes are exact. The last line says how many operations
// all passes leave.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/model/interp_model.h"
#include "interp/model/workspace.h"
#include "tests/golden/cases.h"
#include "tests/shared/program_runner.h"

namespace fermiac::test {
namespace {

using Numbers = std::vector<double>;

std::string whole_program(const std::string& source) {
  if (source.find("parameters {") != std::string::npos) return source;
  std::string functions, body;
  for (const std::string& line : lines_of(source))
    (line.starts_with("fn ") ? functions : body) += (line.starts_with("fn ") ? line.substr(3) : line) + "\n";
  return "functions {\n" + functions + "}\ntransformed data { int N = 18; vector[N] y; for (n in 1:N) y[n] = n / 4.0; }\n" +
         "parameters { real p; real q; vector[N] v; }\nmodel {\n" + body + "}\n";
}

bool contains(const Lines& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

/// The model of a case with these passes alone.
std::unique_ptr<interp::InterpModel> model_with(const Case& c, const Lines& passes) {
  Lines skipped;
  for (const ad::RewritePass& pass : ad::rewrite_passes())
    if (!contains(passes, pass.name)) skipped.emplace_back(pass.name);
  return testing::load(whole_program(c.source), c.data, {.skipped_passes = skipped});
}

Lines all_passes() {
  Lines names;
  for (const ad::RewritePass& pass : ad::rewrite_passes()) names.emplace_back(pass.name);
  return names;
}

Numbers point(std::size_t n, int k) {
  Numbers theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.7 * std::sin(2 + 0.9 * static_cast<double>(i) + k);
  return theta;
}

struct Density {
  double lp = 0;
  Numbers gradient;
};

Density density(interp::InterpModel& model, int k) {
  Density d{.gradient = Numbers(model.unconstrained_size())};
  const DensityOptions options{.propto = k % 2 == 0, .jacobian = true};
  const EvalStatus status = model.workspace()->log_density_gradient(point(d.gradient.size(), k), options, &d.lp, d.gradient);
  EXPECT_TRUE(status) << status.message;
  return d;
}

bool exact(const Lines& passes) {
  return std::ranges::all_of(ad::rewrite_passes(), [&](const ad::RewritePass& pass) {
    return pass.exactness == ad::Exactness::Exact || !contains(passes, pass.name);
  });
}

/// Adjoints that come from several readers may be added in another order after any pass.
void expect_same_density(const Case& c, const Lines& passes) {
  const auto recorded = model_with(c, {}), rewritten = model_with(c, passes);
  const double tolerance = 1e-12;
  for (const int k : {0, 1, 2, 3}) {
    const Density a = density(*rewritten, k), b = density(*recorded, k);
    const double largest = std::abs(std::ranges::max(b.gradient, {}, [](double x) { return std::abs(x); }));
    EXPECT_NEAR(a.lp, b.lp, exact(passes) ? 0 : tolerance * (1 + std::abs(b.lp)));
    for (std::size_t i = 0; i < a.gradient.size(); ++i) EXPECT_NEAR(a.gradient[i], b.gradient[i], tolerance * (1 + largest)) << i;
  }
}

/// The kind of an operation and its function, without numbers.
std::string kind_of(const std::string& line) {
  std::string kind;
  for (const std::string& word : words(line))
    if (word.size() > 1 && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos) kind += word + " ";
  return kind;
}

/// Of a long trace the first and last operations, and of those in between the first of each kind.
std::string shortened(const std::string& text) {
  constexpr std::size_t kFirst = 8, kLast = 4, kShort = 16;
  const Lines lines = lines_of(text);
  if (lines.size() <= kShort) return text;
  std::set<std::string> kinds;
  std::string out;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool shown = kinds.insert(kind_of(lines[i])).second || i < kFirst || i + kLast >= lines.size();
    if (shown && left_out > 0) out += fmt::format("       … {} more\n", std::exchange(left_out, 0));
    if (shown)
      out += lines[i] + "\n";
    else
      ++left_out;
  }
  return out;
}

std::string dump(const Case& c, const Lines& passes) {
  const auto model = model_with(c, passes);
  return model->dump_tape(point(model->unconstrained_size(), 0), {});
}

Shown shown(const Case& c) {
  const std::string before = dump(c, {c.passes.begin(), c.passes.end() - 1}), after = dump(c, c.passes);
  const std::string last = fmt::format("all passes: {} operations\n", lines_of(dump(c, all_passes())).size());
  return {shortened(before), (after == before ? "unchanged\n" : shortened(after)) + last};
}

TEST(TapeGolden, Cases) {
  const std::size_t count = check_cases("tape", [](const std::filesystem::path& path, const Case& c) -> Shown {
    if (c.passes.empty() || c.passes.back() != path.stem()) ADD_FAILURE() << "the last pass is not that of the file";
    if (c.passes.empty() || !testing::load(whole_program(c.source), c.data)) return {};
    expect_same_density(c, c.passes);
    expect_same_density(c, all_passes());
    return shown(c);
  });
  EXPECT_GE(count, ad::rewrite_passes().size());
}

TEST(TapeGolden, EveryPassHasCases) {
  Lines files, passes = all_passes();
  for (const auto& path : golden_files("tape", ".cases")) files.push_back(path.stem());
  std::ranges::sort(passes);
  EXPECT_EQ(files, passes);
}

}  // namespace
}  // namespace fermiac::test
