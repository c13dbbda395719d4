// The table after a run.
#include "inference/output/posterior_table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fermiac::inference {
namespace {

ColumnSummary column(std::string name, double mean, double mcse, double sd, double rhat = 1.0004) {
  return {std::move(name), mean, mcse, sd, sd, {mean - 1.6 * sd, mean, mean + 1.6 * sd}, 1234.4, 987.6, rhat, false};
}

std::vector<std::string> rows_of(const std::string& table) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = table.find('\n', at);
    out.push_back(table.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

TEST(PosteriorTable, DecimalsFollowTheErrorOfEachRow) {
  const std::string text = draws_table({column("mu", 4.42123, 0.043, 3.3), column("n", 120345.6, 35, 900), column("tiny", 1.23456e-9, 2e-11, 3e-10),
                                        column("p", 0.01234, 0.00021, 0.005)}, {});
  EXPECT_EQ(text, "             Mean      MCSE    StdDev       MAD           5%          50%          95%\n"
                  "mu         4.42     0.043      3.30      3.30        -0.86         4.42         9.70\n"
                  "n     120346       35        900       900       118906       120346       121786\n"
                  "tiny     1.23e-09   2.0e-11   3.0e-10   3.0e-10      7.5e-10     1.23e-09     1.71e-09\n"
                  "p          0.0123   0.00021    0.0050    0.0050       0.0043       0.0123       0.0203\n")
      << text;
}

TEST(PosteriorTable, NumbersThatDifferInTheirLastBitsAreOneNumber) {
  const std::string text = draws_table({column("one", 1, 2e-18, 1e-16), column("two", 0.5, 0.001, 0.1)}, {});
  EXPECT_EQ(rows_of(text)[1].substr(0, 12), "one  1      ") << text;
}

TEST(PosteriorTable, RhatHasThreeDecimalsAndSizesNone) {
  ChainSet chains;
  chains.method = "hmc with nuts";
  const std::string text = posterior_text(chains, {column("mu", 1, 0.01, 0.5, 1.0123)}, {});
  EXPECT_NE(text.find("1234       988  1.012\n"), std::string::npos) << text;
}

TEST(PosteriorTable, LinesFitTheWindow) {
  ChainSet chains;
  const std::vector<ColumnSummary> columns = {column("a_long_name_of_a_parameter.1", 4.42123, 0.043, 3.3), column("b", 120345.6, 0.35, 900)};
  for (const std::size_t width : {75u, 80u, 100u, 200u})
    for (const std::string& row : rows_of(draws_table(columns, {.width = width}))) EXPECT_LE(row.size(), width) << row;
  EXPECT_NE(posterior_text(chains, columns, {.width = 80}).find("R_hat"), std::string::npos);
}

TEST(PosteriorTable, LongContainersAreCutAndSayHowToSeeTheRest) {
  std::vector<ColumnSummary> columns;
  for (int i = 1; i <= 480; ++i) columns.push_back(column("log_lik." + std::to_string(i), i, 0.1, 1, i == 300 ? 1.02 : 1));
  columns.push_back(column("mu", 1, 0.1, 1));
  ChainSet chains;
  const std::string text = posterior_text(chains, columns, {.rest = "show {}"});
  EXPECT_NE(text.find("\nlog_lik[10] "), std::string::npos);
  EXPECT_EQ(text.find("\nlog_lik[11] "), std::string::npos);
  EXPECT_NE(text.find("\n  … log_lik[11] to log_lik[480]: 470 more, R_hat up to 1.020, ESS from 988\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmu "), std::string::npos);
  EXPECT_NE(text.find("\nThe rest: show log_lik\n"), std::string::npos);
  EXPECT_NE(posterior_text(chains, columns, {.all = true}).find("\nlog_lik[480] "), std::string::npos);
}

TEST(PosteriorTable, IsTheSameAsHtml) {
  std::vector<ColumnSummary> columns = {column("stepsize__", 1, 0.1, 1)};
  for (int i = 1; i <= 30; ++i) columns.push_back(column("x." + std::to_string(i), i, 0.1, 1));
  const std::string html = posterior_html(columns, {.rest = "show {} <here>"});
  EXPECT_NE(html.find("<tr><th>x[1]</th><td>1.0</td>"), std::string::npos) << html;
  EXPECT_NE(html.find("<th>R_hat</th>"), std::string::npos);
  EXPECT_NE(html.find("x[11] to x[30]: 20 more"), std::string::npos);
  EXPECT_EQ(html.find("<th>x[11]</th>"), std::string::npos);
  EXPECT_EQ(html.find("stepsize__"), std::string::npos);
  EXPECT_NE(html.find("show x &lt;here&gt;"), std::string::npos);
}

TEST(PosteriorTable, SortsByWhatIsWorst) {
  ChainSet chains;
  const std::vector<ColumnSummary> columns = {column("a", 1, 0.1, 1, 1.001), column("b", 1, 0.1, 1, 1.3), column("c", 1, 0.1, 1, 1.02)};
  const std::string text = posterior_text(chains, columns, {.order = RowOrder::WorstRhat});
  EXPECT_LT(text.find("\nb "), text.find("\nc "));
  EXPECT_LT(text.find("\nc "), text.find("\na "));
}

TEST(PosteriorTable, SelectsVariablesAndElements) {
  const std::vector<ColumnSummary> all = {column("x.1.2", 1, 1, 1), column("x.2.2", 1, 1, 1), column("xy", 1, 1, 1), column("t:1", 1, 1, 1)};
  std::string error;
  EXPECT_EQ(select_columns(all, {}, &error)->size(), 4u);
  EXPECT_EQ(select_columns(all, {"x"}, &error)->size(), 2u);
  EXPECT_EQ(select_columns(all, {"x[2,2]", "t"}, &error)->size(), 2u);
  EXPECT_FALSE(select_columns(all, {"xy", "z"}, &error));
  EXPECT_EQ(error, "z");
}

TEST(PosteriorTable, GuessesNames) {
  const std::vector<ColumnSummary> all = {column("tau", 1, 1, 1), column("theta.1", 1, 1, 1), column("theta.2", 1, 1, 1)};
  EXPECT_EQ(similar_name("Tau", all), ": did you mean 'tau'?");
  EXPECT_EQ(similar_name("Theta[2]", all), ": did you mean 'theta'?");
  EXPECT_EQ(similar_name("thetta", all), ": did you mean 'theta'?");
  EXPECT_EQ(similar_name("thetas", all), ": did you mean 'theta'?");
  EXPECT_EQ(similar_name("theta[3]", all), "");  // the name is right
  EXPECT_EQ(similar_name("z", all), "");
}

TEST(PosteriorTable, FilledTextBreaksAtBlanks) {
  EXPECT_EQ(filled("one two three\nfour\n", 8), "one two\nthree\nfour\n");
  EXPECT_EQ(filled("one two\n", 0), "one two\n");
}

}  // namespace
}  // namespace fermiac::inference
