// What a workspace has evaluated before may decide how it evaluates a point (interp/model/tape_cache.h), and so its last bits. Random
// programs and random sequences of points: a workspace that takes over the history of another one goes on with the same bits,
// whatever other workspaces of the model do meanwhile.
//   FERMIAC_FUZZ_PROGRAMS=2000 FERMIAC_FUZZ_SEED=5000 build/tests/history_fuzz_test
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "interp/model/interp_model.h"
#include "support/base/rng.h"
#include "tests/fuzz/programs/generate.h"
#include "tests/shared/setting.h"

namespace fermiac::fuzz {
namespace {

using interp::InterpModel;
using testing::setting;
using Point = std::vector<double>;

std::uint64_t bits(double x) { return std::isnan(x) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(x); }

std::unique_ptr<InterpModel> loaded(const GeneratedProgram& program, Jit jit = jit_by_environment()) {
  const auto code = interp::compile_model({.text = program.source, .path = "fuzz.stan", .name = "fuzz_model", .include_paths = {}}, {.jit = jit});
  if (!*code) return nullptr;
  try {
    return std::make_unique<InterpModel>(code, interp::DataSource::parse(program.data, "data"), 1, [](std::string_view) {});
  } catch (const InputError&) {
    return nullptr;
  }
}

/// A walk with jumps, as samplers take: neighbors share paths, others do not.
std::vector<Point> walk(std::size_t n, std::size_t count, Rng& rng) {
  std::vector<Point> out;
  Point at(n);
  for (std::size_t k = 0; k < count; ++k) {
    const double scale = rng.uniform() < 0.2 ? 2 : 0.05;
    for (double& x : at) x = (scale > 1 ? 0 : x) + scale * rng.normal();
    out.push_back(at);
  }
  return out;
}

std::vector<std::uint64_t> evaluated(ModelWorkspace& w, const Point& theta) {
  double lp = 0;
  Point gradient(theta.size());
  const EvalStatus status = w.log_density_gradient(theta, {}, &lp, gradient);
  std::vector<std::uint64_t> out = {static_cast<std::uint64_t>(status.kind)};
  if (!status) return out;
  out.push_back(bits(lp));
  for (const double g : gradient) out.push_back(bits(g));
  return out;
}

std::vector<std::uint64_t> drawn(const InterpModel& model, ModelWorkspace& w, const Point& theta, std::uint64_t seed) {
  Rng rng(seed);
  Point row(model.names(true, true).size());
  std::vector<std::uint64_t> out = {static_cast<std::uint64_t>(w.write_array(theta, true, true, rng, row).kind)};
  for (const double x : row) out.push_back(bits(x));
  return out;
}

/// What a chain does: gradients, and a draw now and then.
std::vector<std::uint64_t> step(const InterpModel& model, ModelWorkspace& w, const std::vector<Point>& points, std::size_t k) {
  std::vector<std::uint64_t> out = evaluated(w, points[k]);
  if (k % 4 != 3) return out;
  const auto more = drawn(model, w, points[k], k);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Empty, or the place where a workspace that took over the history leaves the way of the one that made it.
std::string difference(const GeneratedProgram& program, std::uint64_t seed) {
  const auto model = loaded(program);
  if (!model) return {};
  const auto quiet = [](std::string_view) {};
  const auto elsewhere = model->twin(quiet, nullptr), later = model->twin(quiet, nullptr);
  Rng rng(seed);
  const std::vector<Point> points = walk(model->unconstrained_size(), 160, rng), others = walk(model->unconstrained_size(), 160, rng);
  const auto whole = elsewhere->workspace(), busy = model->workspace(), first = model->workspace(), second = later->workspace();
  const std::size_t cut = 1 + rng() % (points.size() - 1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto expected = step(*elsewhere, *whole, points, k);
    step(*model, *busy, others, k);  // beside the one that is looked at
    if (k == cut && !second->restore_history(first->history())) return "the history is refused";
    if (step(*model, k < cut ? *first : *second, points, k) != expected) return fmt::format("point {}, cut at {}", k, cut);
  }
  return {};
}

TEST(HistoryFuzz, AWorkspaceThatTakesItOverGoesOnAlike) {
  const std::uint64_t begin = setting("FERMIAC_FUZZ_SEED", 1), count = setting("FERMIAC_FUZZ_PROGRAMS", 40);
  std::string differ;
  for (std::uint64_t seed = begin; seed < begin + count; ++seed)
    if (const std::string found = difference(generate_program(seed, 20), seed); !found.empty()) differ += fmt::format("seed {}: {}\n", seed, found);
  EXPECT_EQ(differ, "");
}

/// Programs that take more paths than there are tapes, whose branches fail beside their path, and that draw along several paths.
const GeneratedProgram kBranching[] = {
    {"parameters { real a; vector[6] c; real<lower=0> s; } model { real off = 0; for (j in 1:6) if (c[j] > 0) for (k in 1:j) off += 0.01 * k * c[j];"
     " for (n in 1:40) target += normal_lpdf(0.1 * n | a + 0.1 * n * off, s); a ~ normal(0, 1); c ~ normal(0, 1); s ~ exponential(1); }"
     " generated quantities { real m = 0; for (j in 1:6) { if (c[j] > 0) m += exp(c[j] * a); else m -= c[j]; } real y = normal_rng(m, s); }", "{}"},
    {"parameters { real x; real y; } model { for (n in 1:20) { if (x > 0.1 * n - 1) target += normal_lpdf(0.1 * n | y, x + 1.5); else target += normal_lpdf(y | x, 1 - x); }"
     " x ~ normal(0, 1); y ~ normal(0, 1); }", "{}"},
    {"parameters { real x; vector[3] z; } model { int k = 0; while (k < square(x) && k < 12) { k += 1; target += -0.1 * square(z[1 + k % 3]); }"
     " for (n in 1:30) { real m = x; for (i in 1:3) m += z[i] > 0 ? log(z[i] + 1e-3) : sqrt(-z[i]); target += normal_lpdf(0.1 * n | m, 1); }"
     " x ~ normal(0, 2); z ~ normal(0, 1); }", "{}"},
};

TEST(HistoryFuzz, ProgramsOfManyPaths) {
  for (const GeneratedProgram& program : kBranching)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_EQ(difference(program, seed), "") << seed << "\n" << program.source;
}

/// When loops and functions become machine code depends on the time they take, so that may not show.
std::string machine_code_difference(const GeneratedProgram& program, std::uint64_t seed) {
  const auto nodes = loaded(program, Jit::Never), code = loaded(program, Jit::Always);
  if (!nodes) return {};
  Rng rng(seed);
  const std::vector<Point> points = walk(nodes->unconstrained_size(), 160, rng);
  const auto one = nodes->workspace(), other = code->workspace();
  std::string out;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (step(*nodes, *one, points, k) != step(*code, *other, points, k)) out += fmt::format(" {}", k);
  return out;
}

TEST(HistoryFuzz, MachineCodeShowsInNoBit) {
  for (const GeneratedProgram& program : kBranching)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_EQ(machine_code_difference(program, seed), "") << seed << "\n" << program.source;
}

TEST(HistoryFuzz, ADamagedHistoryIsRefused) {
  const auto model = loaded(kBranching[0]), again = loaded(kBranching[1]);
  const auto w = model->workspace();
  Rng rng(1);
  for (const Point& p : walk(model->unconstrained_size(), 30, rng)) evaluated(*w, p);
  const std::string history = w->history();
  EXPECT_TRUE(model->workspace()->restore_history(history));
  EXPECT_FALSE(again->workspace()->restore_history(history)) << "that of another model";
  for (std::size_t n = 0; n < history.size(); n += 7) EXPECT_FALSE(model->workspace()->restore_history(history.substr(0, n))) << n;
}

}  // namespace
}  // namespace fermiac::fuzz
