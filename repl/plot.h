// Pictures in the terminal: braille dots, two columns and four rows of them per character.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermiac::repl {

class Canvas {
 public:
  Canvas(int columns, int rows) : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns * rows)) {}
  int width() const { return 2 * columns_; }
  int height() const { return 4 * rows_; }
  /// Dot (0, 0) is the lower left one; dots outside are ignored.
  void dot(int x, int y);
  void line(int x0, int y0, int x1, int y1);
  /// UTF-8 text of one row of characters, from the top.
  std::string row(int i) const;
  int rows() const { return rows_; }

 private:
  int columns_, rows_;
  std::vector<std::uint8_t> cells_;
};

struct Range {
  double low = 0, high = 1;
};

using Points = std::vector<std::pair<double, double>>;

inline constexpr int kPlotColumns = 60;  // of a picture, where there is room

/// The points joined by lines, with axes. `fill` draws down to the x axis.
std::string plot_curve(const Points& points, Range x, Range y, bool fill, int columns = kPlotColumns);
/// A bar per point from the x axis up.
std::string plot_bars(const Points& points, Range x, Range y, int columns = kPlotColumns);
/// Several curves over one pair of axes.
std::string plot_curves(const std::vector<Points>& curves, Range x, Range y, int columns = kPlotColumns);
/// A dot for each point.
std::string plot_points(const Points& points, int columns = kPlotColumns);
/// Chains over the numbers of their draws; empty where no draw is finite.
std::string plot_trace(const std::vector<std::vector<double>>& chains, int columns = kPlotColumns);
/// How often values fall into each of a number of classes.
std::string plot_histogram(std::vector<double> values, int columns = kPlotColumns);

/// Sorts, and interpolates between the neighbours.
double quantile(const std::vector<double>& sorted, double p);
struct Moments {
  double mean = 0, sd = 0;
};
Moments moments(std::span<const double> values);
/// `mean … sd …` and quantiles, on two lines.
std::string summary_of(std::vector<double> values);

}  // namespace fermiac::repl
