// Pictures in the terminal: braille dots, two columns and four rows of them per character.
#pragma once

#include <cstdint>
#include <optional>
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

/// Points over one pair of axes, before it is decided how they are drawn.
struct Picture {
  enum class Kind : std::uint8_t {
    Lines,  // the points of each curve joined
    Area,   // the same, filled down to the x axis
    Bars,   // one per point from the x axis up
    Dots    // one per point
  };
  Kind kind = Kind::Lines;
  std::vector<Points> curves;  // one, unless they are lines
  Range x, y;
};
/// How often values fall into each of a number of classes; `columns` says how fine the picture can be. Nothing where no
/// value is finite; so for the others.
std::optional<Picture> histogram(std::vector<double> values, int columns = kPlotColumns);
/// Chains over the numbers of their draws.
std::optional<Picture> trace_picture(const std::vector<std::vector<double>>& chains);
/// A dot for each point.
std::optional<Picture> dots(Points points);

/// With axes, of braille dots.
std::string picture_text(const Picture& picture, int columns = kPlotColumns);
/// For notebooks, as an SVG element.
std::string picture_svg(const Picture& picture);

/// Sorts, and interpolates between the neighbours.
double quantile(const std::vector<double>& sorted, double p);
struct Moments {
  double mean = 0, sd = 0;
};
Moments moments(std::span<const double> values);
/// `mean … sd …` and quantiles, on two lines.
std::string summary_of(std::vector<double> values);

}  // namespace fermiac::repl
