// Models at several points at once against each point alone: the same log densities and gradients bit for bit. The examples,
// and random programs; FERMIAC_LANE_PROGRAMS and FERMIAC_LANE_SEED make the run longer or another one.
#include <bit>
#include <cmath>

#include "interp/model/lane_gradients.h"
#include "interp/model/workspace.h"
#include "tests/differential/example_models.h"
#include "tests/fuzz/programs/generate.h"
#include "tests/shared/setting.h"

namespace fermiac::interp {
namespace {

using fermiac::testing::setting;
using Numbers = std::vector<double>;

constexpr std::size_t kSettled = 80, kCalls = 100;  // calls until the evaluator has looked for a tape, and in all

/// Points at which an evaluation counts what it is alone.
class Counted final : public ModelWorkspace {
 public:
  explicit Counted(std::unique_ptr<ModelWorkspace> inner) : inner_(std::move(inner)) {}
  EvalStatus log_density(std::span<const double> theta, DensityOptions o, double* lp) override { return inner_->log_density(theta, o, lp); }
  EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions o, double* lp, std::span<double> gradient) override {
    ++evaluations;
    return inner_->log_density_gradient(theta, o, lp, gradient);
  }
  EvalStatus write_array(std::span<const double> t, bool a, bool b, Rng& rng, std::span<double> out) override { return inner_->write_array(t, a, b, rng, out); }
  std::size_t evaluations = 0;

 private:
  std::unique_ptr<ModelWorkspace> inner_;
};

std::string said(const EvalStatus& status, double lp, const Numbers& gradient) {
  std::string out = std::to_string(static_cast<int>(status.kind)) + status.message;
  if (!status) return out;
  for (const double x : gradient) out += " " + std::to_string(std::isnan(x) ? 0x7ff8u : x == 0 ? 0 : std::bit_cast<std::uint64_t>(x));
  return out + " " + std::to_string(std::isnan(lp) ? 0x7ff8u : std::bit_cast<std::uint64_t>(lp));
}

/// How many evaluations were not made point by point.
std::size_t expect_same(const InterpModel& model, const std::string& what) {
  const std::size_t n = model.unconstrained_size();
  if (n == 0) return 0;
  const auto first = model.workspace();
  const auto evaluator = dynamic_cast<const LaneWorkspace&>(*first).lanes(true);
  if (!evaluator) return 0;
  const std::size_t width = evaluator->width();
  std::vector<std::unique_ptr<Counted>> chains;
  std::vector<std::unique_ptr<ModelWorkspace>> references;  // how a path is evaluated depends on what the chain has evaluated before
  for (std::size_t k = 0; k < width; ++k) {
    chains.push_back(std::make_unique<Counted>(model.workspace()));
    references.push_back(model.workspace());
  }
  std::vector<Numbers> thetas(width, Numbers(n)), gradients(width, Numbers(n));
  std::vector<EvalStatus> statuses(width);
  Numbers lps(width);
  Rng rng(7);
  std::size_t together = 0;
  const auto made_alone = [&] {
    std::size_t sum = 0;
    for (const auto& chain : chains) sum += chain->evaluations;
    return sum;
  };
  for (std::size_t call = 0; call < kCalls; ++call) {
    const std::size_t points = 1 + call % width;
    std::vector<LaneEvaluator::Point> batch;
    for (std::size_t k = 0; k < points; ++k) {
      for (double& x : thetas[k]) x = 3 * rng.uniform() - 1.5 + (call % 10 == 9 && k == 1 ? 200 : 0);  // far away: refused by some
      batch.push_back({chains[k].get(), thetas[k], &lps[k], gradients[k], &statuses[k]});
    }
    const std::size_t before = made_alone();
    evaluator->gradients(batch);
    if (call >= kSettled) together += points - (made_alone() - before);
    for (std::size_t k = 0; k < points; ++k) {
      Numbers gradient(n);
      double lp = 0;
      const EvalStatus status = references[k]->log_density_gradient(thetas[k], {}, &lp, gradient);
      EXPECT_EQ(said(statuses[k], lps[k], gradients[k]), said(status, lp, gradient)) << what << ": call " << call << ", point " << k;
      if (::testing::Test::HasFailure()) return 0;
    }
  }
  return together;
}

class LaneExamples : public ::testing::TestWithParam<std::string> {};
TEST_P(LaneExamples, SayWhatEachPointSays) {
  const auto model = load_example(GetParam());
  ASSERT_TRUE(model);
  const std::size_t together = expect_same(*model, GetParam());
  for (const char* name : {"eight_schools", "eight_schools_centered", "garch", "seeds", "ar", "kidiq"})
    if (GetParam() == name) {
      EXPECT_GT(together, 0u) << "evaluated point by point";
    }
}
INSTANTIATE_TEST_SUITE_P(All, LaneExamples, ::testing::ValuesIn(example_names()), [](const auto& it) { return it.param; });

TEST(LanePrograms, SayWhatEachPointSays) {
  const std::uint64_t first = setting("FERMIAC_LANE_SEED", 1), programs = setting("FERMIAC_LANE_PROGRAMS", 60);
  std::size_t together = 0;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    SCOPED_TRACE(seed);
    const fuzz::GeneratedProgram program = fuzz::generate_program(seed);
    const auto compiled = compile_model({.text = program.source, .path = "m.stan", .name = "m_model"});
    ASSERT_TRUE(*compiled);
    std::unique_ptr<InterpModel> model;
    try {
      model = std::make_unique<InterpModel>(compiled, DataSource::parse(program.data, "data"), 1, [](std::string_view) {});
    } catch (const std::exception&) {
      continue;  // data that the program refuses
    }
    together += expect_same(*model, program.source);
    if (HasFailure()) return;
  }
  EXPECT_GT(together, 0u);
}

}  // namespace
}  // namespace fermiac::interp
