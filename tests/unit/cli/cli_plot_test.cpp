// `fermiac plot`: pictures of what is in the files, and what it refuses.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

namespace fs = std::filesystem;

class CliPlot : public InOwnFolder {
 protected:
  void SetUp() override {
    std::ofstream out(at("a.csv"));
    out << "lp__,mu";
    for (int i = 1; i <= 15; ++i) out << ",x." << i;
    for (int k = 0; k < 40; ++k) {
      out << "\n-1," << k;
      for (int i = 1; i <= 15; ++i) out << "," << (k * i) % 7;
    }
    out << "\n";
  }
  ProgramRun plot(const std::string& names) const { return run_fermiac("plot " + at("a.csv") + " " + names); }
};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST_F(CliPlot, OfOneQuantity) {
  const ProgramRun run = plot("mu");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_TRUE(run.text.starts_with("mu\n")) << run.text;
  EXPECT_EQ(count_of(run.text, "└"), 2u);  // a histogram and a trace
  EXPECT_NE(run.text.find("n 40   mean 19.5"), std::string::npos) << run.text;
}

TEST_F(CliPlot, OfTwoIsAPairToo) {
  const ProgramRun run = plot("mu 'x[3]'");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_EQ(count_of(run.text, "└"), 5u);
  EXPECT_NE(run.text.find("\nx[3] against mu\n"), std::string::npos) << run.text;
}

TEST_F(CliPlot, RefusesWhatCannotBeShown) {
  EXPECT_NE(plot("").text.find("fermiac: 16 quantities are too many for pictures below each other; name up to 12, mu and x[15] for example"),
            std::string::npos) << plot("").text;
  EXPECT_EQ(plot("").status, 1);
  EXPECT_NE(plot("nu").text.find("there is no 'nu' among the columns"), std::string::npos);
  EXPECT_NE(plot("Mu").text.find("there is no 'Mu' among the columns: did you mean 'mu'?"), std::string::npos) << plot("Mu").text;
  EXPECT_EQ(run_fermiac("plot " + at("none")).status, 1);
}

}  // namespace
}  // namespace fermiac::testing
