// The page that `fermiac report` makes: what it carries is what was drawn, nothing in it leads elsewhere, nothing that it
// carries breaks out of its place.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "inference/diagnostics/loo.h"
#include "inference/output/draw_files.h"
#include "inference/report/report_data.h"
#include "inference/report/report_page.h"
#include "support/base/encodings.h"
#include "support/base/json_tree.h"
#include "support/base/rng.h"
#include "tests/shared/own_folder.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;

ChainSet some_chains(std::size_t columns, std::size_t draws) {
  ChainSet chains;
  chains.model_name = "m_model";
  for (std::size_t i = 0; i < columns; ++i) chains.names.push_back("x." + std::to_string(i + 1));
  for (unsigned c = 0; c < 4; ++c) {
    Rng rng(7, c);
    Vec& rows = chains.rows.emplace_back(columns * draws);
    for (double& x : rows) x = 1e9 + rng.normal();
    chains.files.push_back({.path = "m_" + std::to_string(c + 1) + ".csv", .id = std::to_string(c + 1)});
  }
  return chains;
}

/// The one escape of the page that our reader does not know is that of `<`.
JsonValue parsed(std::string json) {
  for (std::size_t at = 0; (at = json.find("\\u003c", at)) != std::string::npos;) json.replace(at, 6, "<");
  JsonValue out;
  EXPECT_TRUE(parse_json(json, &out));
  return out;
}

int letter_value(char c) {
  static constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return static_cast<int>(kLetters.find(c));
}

/// The floats of one column, as the page reads them.
std::vector<float> unpacked(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 4 <= text.size(); i += 4) {
    const std::size_t fill = text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    int three = 0;
    for (std::size_t k = 0; k < 4; ++k) three = three << 6 | (text[i + k] == '=' ? 0 : letter_value(text[i + k]));
    for (std::size_t k = 0; k + fill < 3; ++k) bytes += static_cast<char>(three >> (16 - 8 * k) & 255);
  }
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

TEST(Base64, HasTheTextsOfTheStandard) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : cases) {
    std::string out;
    append_base64(std::as_bytes(std::span(plain)), out);
    EXPECT_EQ(out, text);
  }
}

TEST(Report, CarriesTheDraws) {
  const ChainSet chains = some_chains(3, 11);
  const KeptDraws kept = kept_draws(chains);
  EXPECT_EQ(kept.stride, 1u);
  const JsonValue json = parsed(report_json(chains, {}, kept, 1));
  const std::string draws = packed_draws(chains, kept);
  const JsonValue& columns = *json.find("columns");
  ASSERT_EQ(columns.items.size(), 3u);
  const std::size_t piece = draws.size() / 3;
  for (std::size_t i = 0; i < 3; ++i) {
    const double centre = columns.items[i].find("centre")->number;
    const std::vector<float> values = unpacked(std::string_view(draws).substr(i * piece, piece));
    ASSERT_EQ(values.size(), 44u);
    // A single float has steps of 64 at 1e9: differences from the centre keep the digits.
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(centre + values[c * 11 + k], chains.rows[c][k * 3 + i], 1e-6);
  }
}

TEST(Report, CarriesTheSummary) {
  const ChainSet chains = some_chains(2, 200);
  const std::vector<ColumnSummary> summary = summarise(chains);
  const JsonValue json = parsed(report_json(chains, {}, kept_draws(chains), 1));
  for (std::size_t i = 0; i < 2; ++i) {
    const JsonValue& column = json.find("columns")->items[i];
    EXPECT_EQ(column.find("shown")->string, "x[" + std::to_string(i + 1) + "]");
    EXPECT_EQ(column.find("stats")->items[0].number, summary[i].mean);
    EXPECT_EQ(column.find("stats")->items[9].number, summary[i].rhat);
    const JsonValue& growth = *column.find("growth");
    ASSERT_EQ(growth.items.size(), 8u);
    EXPECT_EQ(growth.items[7].items[0].number, std::round(summary[i].ess_bulk));
    EXPECT_EQ(json.find("growth_at")->items[7].number, 200);
  }
}

TEST(Report, CarriesLeaveOneOutOfColumnsLogLik) {
  ChainSet chains = some_chains(3, 300);
  EXPECT_EQ(parsed(report_json(chains, {}, kept_draws(chains), 1)).find("loo"), nullptr);
  chains.names = {"mu", "log_lik.1", "log_lik.2"};
  for (Vec& rows : chains.rows)
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i % 3 == 0 ? 0 : -std::pow(rows[i] - 1e9, 2) * (i % 3 == 1 ? 0.1 : 2);
  const JsonValue json = parsed(report_json(chains, {}, kept_draws(chains), 1));
  const CrossValidation expected = psis_loo(log_lik_columns(chains), std::nullopt, std::nullopt);
  const JsonValue& loo = *json.find("loo");
  EXPECT_EQ(loo.find("elpd")->number, expected.elpd());
  EXPECT_EQ(loo.find("limit")->number, expected.limit);
  ASSERT_EQ(loo.find("points")->items.size(), 2u);
  EXPECT_EQ(loo.find("points")->items[1].items[0].string, "log_lik[2]");
  EXPECT_EQ(loo.find("points")->items[1].items[1].number, expected.points[1].k);
  EXPECT_GT(expected.points[1].k, expected.points[0].k);
}

TEST(Report, HalfOfTheChainsIsWhatItsGrowthSays) {
  ChainSet chains = some_chains(1, 400);
  const JsonValue json = parsed(report_json(chains, {}, kept_draws(chains), 1));
  for (Vec& rows : chains.rows) rows.resize(200);
  const ColumnSummary half = summarise(chains)[0];
  const JsonValue& middle = json.find("columns")->items[0].find("growth")->items[3];
  EXPECT_EQ(middle.items[0].number, std::round(half.ess_bulk));
  EXPECT_EQ(middle.items[1].number, std::round(half.ess_tail));
}

TEST(Report, TextsStayInTheirPlaces) {
  ChainSet chains = some_chains(1, 10);
  chains.files[0].config = {{"data.file", "</script><script>alert(1)</script>"}};
  const std::string program = "// </script> {{draws}} <!-- \"quotes\" \\ and more\nmodel {}";
  const std::string json = report_json(chains, {"m.stan", program}, kept_draws(chains), 1);
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_EQ(parsed(json).find("source")->find("text")->string, program);
  const std::string page = report_page("a </title> & {{script}}", json, "DRAWS");
  EXPECT_NE(page.find("<title>a &lt;/title&gt; &amp; {{script}}</title>"), std::string::npos);
  EXPECT_NE(page.find(json), std::string::npos);
  EXPECT_EQ(page.find("DRAWS"), page.rfind("DRAWS"));
}

TEST(Report, AsksForNothingFromElsewhere) {
  const std::string page = report_page("m", "{}", "");
  EXPECT_TRUE(page.starts_with(kReportMark));
  for (const char* way : {"http:", "https:", "//cdn", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("})
    EXPECT_EQ(page.find(way), std::string::npos) << way;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);  // and browsers see to it
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

TEST(Report, ThinsWhatIsTooMuch) {
  ChainSet chains = some_chains(1, 1);
  chains.names.assign(13000, "x");
  for (Vec& rows : chains.rows) rows.assign(13000 * 1000, 0);
  const KeptDraws kept = kept_draws(chains);
  EXPECT_EQ(kept.stride, 5u);
  EXPECT_EQ(kept.kept, 200u);
}

class Folder : public testing::InOwnFolder {
 protected:
  void write_run(const std::string& name, const std::string& method) const {
    write(name, "# model = m_model\n# method = " + method + "\n#   num = 1\nx\n1\n");
  }
  std::string error() const {
    std::vector<std::string> files;
    return draw_files({folder_.path().string()}, &files).message;
  }
};

TEST_F(Folder, StandsForTheChainsOfItsRun) {
  write_run("m_10.csv", "sample (Default)");
  write_run("m_2.csv", "sample");
  write_run("m_generate_1.csv", "generate_quantities");
  write("profile.csv", "name,time\n");
  write("m_1_metric.json", "{}");
  std::vector<std::string> files;
  ASSERT_TRUE(draw_files({"other.csv", folder_.path().string()}, &files));
  EXPECT_EQ(files, (std::vector<std::string>{"other.csv", folder_.path() / "m_2.csv", folder_.path() / "m_10.csv"}));
}

TEST_F(Folder, StandsForGeneratedQuantitiesWhereThereIsNothingElse) {
  write_run("m_generate_1.csv", "generate_quantities");
  write_run("m_generate_2.csv", "generate_quantities");
  std::vector<std::string> files;
  ASSERT_TRUE(draw_files({folder_.path().string()}, &files));
  EXPECT_EQ(files, (std::vector<std::string>{folder_.path() / "m_generate_1.csv", folder_.path() / "m_generate_2.csv"}));
}

TEST_F(Folder, WithoutDrawsOrWithSeveralRunsIsRefused) {
  EXPECT_EQ(error(), "the folder '" + folder_.path().string() + "' has no files of draws");
  write_run("a_1.csv", "sample");
  write_run("b.csv", "laplace");
  EXPECT_EQ(error(), "the folder '" + folder_.path().string() + "' has draws of several runs: 'a', 'b'; give the files of one");
}

}  // namespace
}  // namespace fermiac::inference
