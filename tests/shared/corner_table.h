// The rows of tests/golden/map_corners.txt: values and slopes of maps where a derivative is infinite or undefined.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace fermiac::testing {

struct MapCorner {
  std::string map;
  std::vector<double> x, slopes;
  double value = 0;
  std::string reason;
  std::string name() const { return fmt::format("{}({})", map, fmt::join(x, ", ")); }
};

inline std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) out.push_back(std::strtod(word.c_str(), nullptr));
  return out;
}

inline std::vector<MapCorner> map_corners() {
  std::vector<MapCorner> out;
  std::ifstream file(FERMIAC_SOURCE_DIR "/tests/golden/map_corners.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
    cells[0].erase(cells[0].find(' '));
    out.push_back({cells[0], numbers_in(cells[1]), numbers_in(cells[3]), numbers_in(cells[2])[0], cells[4].substr(1)});
  }
  EXPECT_GT(out.size(), 25u);
  return out;
}

/// A slope of NaN in the table is any number.
inline void expect_as_in_table(double got, double expected, const std::string& where) {
  if (std::isnan(expected)) return;
  EXPECT_NEAR(got, expected, 2e-8 * std::fabs(expected)) << where;  // lambert_w0 loses half the digits at its branch point
}

}  // namespace fermiac::testing
