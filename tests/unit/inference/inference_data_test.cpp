// Draws as groups of arrays, and back.
#include "inference/output/inference_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include "inference/output/csv.h"

namespace fermiac::inference {
namespace {

CsvDraws chain(std::vector<std::string> names, std::vector<double> values, std::string id = "1") {
  CsvDraws out;
  out.path = "m_" + id + ".csv";
  out.names = std::move(names);
  out.rows = values.size() / out.names.size();
  out.values = std::move(values);
  out.config = {{"method", "sample"}, {"id", std::move(id)}};
  return out;
}

std::string file_text(const ArrayGroup& group) {
  std::string out;
  for (const ArrayVariable& v : group.variables) {
    out += v.name + "(";
    for (const std::size_t d : v.dims) out += group.dims[d].name + " " + std::to_string(group.dims[d].size) + ",";
    out += ")";
    for (const double x : reals_of(v)) out += " " + (std::isnan(x) ? "nan" : std::to_string(static_cast<int>(x)));
    out += "\n";
  }
  return out;
}

TEST(InferenceData, NamesOfColumnsHavePlaces) {
  const auto text = [](std::string_view name) {
    const ColumnPlace place = place_of_column(name);
    std::string out = place.variable + " " + place.pattern;
    for (const std::size_t i : place.index) out += " " + std::to_string(i);
    return out;
  };
  EXPECT_EQ(text("mu"), "mu mu");
  EXPECT_EQ(text("theta.3"), "theta theta.* 3");
  EXPECT_EQ(text("m.2.11"), "m m.*.* 2 11");
  EXPECT_EQ(text("z.2.imag"), "z.imag z.*.imag 2");
  EXPECT_EQ(text("t:1"), "t:1 t:1");
  EXPECT_EQ(text("t.4:2.1"), "t:2 t.*:2.* 4 1");
  EXPECT_EQ(text("odd.0"), "odd.0 odd.0");
}

TEST(InferenceData, GroupsVariablesAndCoordinates) {
  const std::vector<std::string> names = {"lp__", "divergent__", "mu", "m.1.1", "m.2.1", "m.1.2", "m.2.2", "log_lik.1"};
  const std::vector<CsvDraws> chains = {chain(names, {-1, 0, 5, 11, 21, 12, 22, 9, -2, 1, 6, 111, 121, 112, 122, 8}, "3"),
                                        chain(names, {-3, 0, 7, 1, 2, 3, 4, 7}, "5")};
  ArrayFile file;
  const std::vector<DataArray> data = {{"y", {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}, true}, {"N", {}, std::vector<std::int64_t>{2}, false}};
  ASSERT_TRUE(inference_data(chains, data, &file));
  EXPECT_EQ(file_text(*file.find("posterior")),
            "chain(chain 2,) 3 5\n"
            "draw(draw 1,) 0\n"
            "mu(chain 2,draw 1,) 5 7\n"
            "m_dim_0(m_dim_0 2,) 0 1\n"
            "m_dim_1(m_dim_1 2,) 0 1\n"
            "m(chain 2,draw 1,m_dim_0 2,m_dim_1 2,) 11 12 21 22 1 3 2 4\n");
  EXPECT_EQ(file_text(*file.find("sample_stats")),
            "chain(chain 2,) 3 5\n"
            "draw(draw 1,) 0\n"
            "lp(chain 2,draw 1,) -1 -3\n"
            "diverging(chain 2,draw 1,) 0 0\n");
  const ArrayVariable& diverging = *file.find("sample_stats")->find("diverging");
  EXPECT_TRUE(std::holds_alternative<std::vector<std::int8_t>>(diverging.values));
  EXPECT_EQ(text_attribute(diverging.attributes, "dtype"), "bool");
  EXPECT_NE(file.find("log_likelihood")->find("log_lik"), nullptr);
  EXPECT_EQ(file_text(*file.find("observed_data")), "y_dim_0(y_dim_0 2,) 0 1\ny_dim_1(y_dim_1 3,) 0 1 2\ny(y_dim_0 2,y_dim_1 3,) 1 2 3 4 5 6\n");
  EXPECT_EQ(file_text(*file.find("constant_data")), "N() 2\n");
  EXPECT_EQ(file.find("warmup_posterior"), nullptr);
}

TEST(InferenceData, ComesBackAsItWas) {
  CsvDraws one = chain({"lp__", "treedepth__", "t.1:2.1", "t.2:2.1", "t.1:2.2", "t.2:2.2", "z.1.real", "z.1.imag", "y.2", "y.4", "x.1", "x.2.1"},
                       {-1, 2, 11, 21, 12, 22, 0.5, -0.5, 3, 4, 8, 9, -2, 3, 110, 210, 120, 220, 1.5, -1.5, 30, 40, 80, 90});
  one.adapted = true;
  one.stepsize = 0.25;
  one.metric_kind = "diag_e";
  one.inverse_metric = {1, 2, 3};
  one.has_elapsed = true;
  one.elapsed = {.warmup = 0.5, .sampling = 1.5};
  ArrayFile file;
  std::vector<CsvDraws> back;
  ASSERT_TRUE(inference_data({one}, {}, &file));
  ASSERT_TRUE(chains_in(file, "m.nc", &back));
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].path, "m.nc, chain 1");
  EXPECT_EQ(back[0].names, one.names);
  EXPECT_EQ(back[0].values, one.values);
  EXPECT_EQ(back[0].rows, 2u);
  EXPECT_EQ(back[0].config, one.config);
  EXPECT_EQ(back[0].stepsize, 0.25);
  EXPECT_EQ(back[0].metric_kind, "diag_e");
  EXPECT_EQ(back[0].inverse_metric, one.inverse_metric);
  EXPECT_EQ(back[0].elapsed.sampling, 1.5);
}

TEST(InferenceData, WarmupHasGroupsOfItsOwn) {
  CsvDraws one = chain({"lp__", "x"}, {-9, 90, -1, 10, -2, 20});
  one.warmup_rows = 1;
  ArrayFile file;
  std::vector<CsvDraws> back;
  ASSERT_TRUE(inference_data({one}, {}, &file));
  EXPECT_EQ(reals_of(*file.find("warmup_posterior")->find("x")), std::vector<double>({90}));
  EXPECT_EQ(reals_of(*file.find("warmup_sample_stats")->find("lp")), std::vector<double>({-9}));
  ASSERT_TRUE(chains_in(file, "m.nc", &back));
  EXPECT_EQ(back[0].values, std::vector<double>({-1, 10, -2, 20}));
}

TEST(InferenceData, RefusesWhatIsNoRun) {
  ArrayFile file;
  std::vector<CsvDraws> back;
  EXPECT_EQ(inference_data({}, {}, &file).message, "there are no chains");
  EXPECT_EQ(inference_data({chain({"x"}, {1}), chain({"y"}, {1}, "2")}, {}, &file).message,
            "'m_2.csv' has other columns than 'm_1.csv': they are not chains of one run");
  EXPECT_EQ(inference_data({chain({"x"}, {})}, {}, &file).message, "'m_1.csv' and its like have no draws after the warm-up");
  EXPECT_EQ(chains_in({}, "a.nc", &back).message, "'a.nc' has no group 'posterior': it is not a file of draws");
  ArrayFile flat{.attributes = {}, .groups = {{.name = "posterior", .dims = {{"x", 1}}, .variables = {{"x", {0}, std::vector<double>{1}, {}}}, .attributes = {}}}};
  EXPECT_EQ(chains_in(flat, "a.nc", &back).message, "'a.nc' has no variable by chain and draw");
  ArrayFile uneven{.attributes = {},
                   .groups = {{.name = "posterior",
                               .dims = {{"chain", 1}, {"draw", 2}, {"draw", 1}},
                               .variables = {{"x", {0, 1}, std::vector<double>{1, 2}, {}}, {"y", {0, 2}, std::vector<double>{1}, {}}},
                               .attributes = {}}}};
  EXPECT_EQ(chains_in(uneven, "a.nc", &back).message, "'a.nc': 'y' has other chains or draws than the variables before it");
}

}  // namespace
}  // namespace fermiac::inference
