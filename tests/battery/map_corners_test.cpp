// Values and slopes of maps at corners against tests/golden/map_corners.txt, in scalar and vector forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {
namespace {

struct Corner {
  std::string map;
  std::vector<double> x, slopes;
  double value = 0;
};

std::vector<double> numbers(const std::string& text) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) out.push_back(std::strtod(word.c_str(), nullptr));
  return out;
}

std::vector<Corner> corners() {
  std::vector<Corner> out;
  std::ifstream file(FERMIAC_SOURCE_DIR "/tests/golden/map_corners.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
    cells[0].erase(cells[0].find(' '));
    out.push_back({cells[0], numbers(cells[1]), numbers(cells[3]), numbers(cells[2])[0]});
  }
  return out;
}

void expect_same(double got, double expected, const std::string& where) {
  if (std::isnan(expected)) return;
  EXPECT_NEAR(got, expected, 2e-8 * std::fabs(expected)) << where;  // lambert_w0 loses half the digits at its branch point
}

TEST(MapCorners, ScalarForms) {
  int checked = 0;
  for (const Corner& c : corners()) {
    double d[kMaxMapArity]{};
    const std::string where = fmt::format("{}({})", c.map, fmt::join(c.x, ", "));
    expect_same(map_op(find_map(c.map)).value_and_partials(c.x.data(), Keep::everything(), d), c.value, where);
    for (std::size_t j = 0; j < c.x.size(); ++j) expect_same(d[j], c.slopes[j], where + " slope");
    ++checked;
  }
  EXPECT_GT(checked, 25);
}

void check_vectors(const Corner& c, unsigned mask) {
  const MapOp& op = map_op(find_map(c.map));
  constexpr std::uint32_t kN = 13;
  std::vector<std::vector<double>> x(c.x.size(), std::vector<double>(24)), a(c.x.size(), std::vector<double>(24));
  std::vector<double> out(24), out_a(24, 1.0);
  MapArgs m;
  m.n = kN;
  m.vector_mask = static_cast<std::uint16_t>(mask);
  m.out = out.data(), m.out_a = out_a.data();
  for (std::size_t j = 0; j < c.x.size(); ++j) {
    std::fill(x[j].begin(), x[j].end(), c.x[j]);
    m.x[j] = x[j].data(), m.a[j] = a[j].data();
  }
  ASSERT_TRUE(op.map(m));
  op.map_reverse(m);
  const std::string where = fmt::format("{}({}) mask {}", c.map, fmt::join(c.x, ", "), mask);
  for (std::uint32_t i = 0; i < kN; ++i) expect_same(out[i], c.value, where);
  for (std::size_t j = 0; j < c.x.size(); ++j) expect_same(a[j][0], c.slopes[j] * (mask >> j & 1u ? 1 : kN), where + " slope");
}

TEST(MapCorners, VectorForms) {
  for (const Corner& c : corners())
    for (unsigned mask = 1; mask < 1u << c.x.size(); ++mask) check_vectors(c, mask);
}

}  // namespace
}  // namespace fermiac::ad
