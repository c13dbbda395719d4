#include "repl/session/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "repl/session/show.h"

namespace fermiac::repl {
namespace {

constexpr int kRows = 10;

/// Axes around a canvas: where a number lies in dots, and the labels.
class Frame {
 public:
  Frame(Range x, Range y, int columns)
      : x_(widened(x)), y_(widened(y)), columns_(columns), canvas_(columns, kRows) {}
  int across(double x) const { return place(x, x_, canvas_.width()); }
  int up(double y) const { return place(y, y_, canvas_.height()); }
  Canvas& canvas() { return canvas_; }
  Range x() const { return x_; }

  std::string text() const {
    const std::string high = label(y_.high, y_), low = label(y_.low, y_);
    const std::size_t margin = std::max(high.size(), low.size());
    std::string out;
    for (int i = 0; i < canvas_.rows(); ++i) {
      const std::string at = i == 0 ? high : i + 1 == canvas_.rows() ? low : "";
      out += padded(at, margin, true) + " ┤" + canvas_.row(i) + "\n";
    }
    std::string rule;
    for (int i = 0; i < columns_; ++i) rule += "─";
    out += std::string(margin, ' ') + " └" + rule + "\n";
    const std::string left = label(x_.low, x_), right = label(x_.high, x_);
    const std::string middle = label(x_.low + (x_.high - x_.low) / 2, x_);
    std::string labels = std::string(margin + 2, ' ') + left;
    labels = padded(labels, margin + 2 + columns_ / 2 - middle.size() / 2) + middle;
    return out + padded(labels, margin + 2 + columns_ - right.size()) + right + "\n";
  }

 private:
  static Range widened(Range r) {
    if (!(r.high > r.low)) return {r.low - 0.5, r.low + 0.5};
    return r;
  }
  /// Four digits; 0 where rounding alone keeps it from being 0.
  static std::string label(double v, Range r) {
    return fmt::format("{:.4g}", std::fabs(v) < 1e-10 * (r.high - r.low) ? 0.0 : v);
  }
  static int place(double v, Range r, int dots) {
    const double t = (v - r.low) / (r.high - r.low) * (dots - 1);
    return static_cast<int>(std::lround(std::clamp(t, -2.0 * dots, 3.0 * dots)));
  }
  Range x_, y_;
  int columns_;
  Canvas canvas_;
};

void draw(Frame& frame, const Points& points, bool fill) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const auto [x0, y0] = points[i];
    const auto [x1, y1] = points[i + 1];
    if (!std::isfinite(y0) || !std::isfinite(y1)) continue;
    frame.canvas().line(frame.across(x0), frame.up(y0), frame.across(x1), frame.up(y1));
  }
  if (!fill) return;
  for (const auto& [x, y] : points)
    if (std::isfinite(y)) frame.canvas().line(frame.across(x), 0, frame.across(x), frame.up(y));
}

}  // namespace

// ---------------------------------------------------------------- canvas

void Canvas::dot(int x, int y) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  static constexpr std::uint8_t kDots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const int from_top = height() - 1 - y;
  cells_[static_cast<std::size_t>(from_top / 4 * columns_ + x / 2)] |= kDots[from_top % 4][x % 2];
}

void Canvas::line(int x0, int y0, int x1, int y1) {
  const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
  for (int i = 0; i <= steps; ++i)
    dot(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
}

std::string Canvas::row(int i) const {
  std::string out;
  int blanks = 0;
  for (int j = 0; j < columns_; ++j) {
    const std::uint8_t cell = cells_[static_cast<std::size_t>(i * columns_ + j)];
    if (cell == 0) {
      ++blanks;
      continue;
    }
    out.append(static_cast<std::size_t>(blanks), ' ');
    blanks = 0;
    const unsigned code = 0x2800u + cell;
    out += static_cast<char>(0xe0u | code >> 12);
    out += static_cast<char>(0x80u | (code >> 6 & 0x3fu));
    out += static_cast<char>(0x80u | (code & 0x3fu));
  }
  return out;
}

// ---------------------------------------------------------------- plots

namespace {

void draw_dots(Frame& frame, const Points& points) {
  for (const auto& [across, up] : points)
    if (std::isfinite(across) && std::isfinite(up)) frame.canvas().dot(frame.across(across), frame.up(up));
}

void draw_bars(Frame& frame, const Points& points, int columns) {
  const bool wide = points.size() * 4 < 2 * static_cast<std::size_t>(columns);
  for (const auto& [at, height] : points) {
    const int column = std::min(frame.across(at), frame.canvas().width() - (wide ? 2 : 1));
    const int top = std::max(frame.up(height), 0);
    frame.canvas().line(column, 0, column, top);
    if (wide) frame.canvas().line(column + 1, 0, column + 1, top);
  }
}

}  // namespace

std::string picture_text(const Picture& picture, int columns) {
  Frame frame(picture.x, picture.y, columns);
  for (const Points& points : picture.curves) {
    if (picture.kind == Picture::Kind::Bars) draw_bars(frame, points, columns);
    else if (picture.kind == Picture::Kind::Dots) draw_dots(frame, points);
    else draw(frame, points, picture.kind == Picture::Kind::Area);
  }
  return frame.text();
}

namespace {

/// What holds all finite points; its ranges are reversed where there are none.
std::pair<Range, Range> extent(const Points& points) {
  Range x{INFINITY, -INFINITY}, y = x;
  for (const auto& [across, up] : points) {
    if (!std::isfinite(across) || !std::isfinite(up)) continue;
    x = {std::min(x.low, across), std::max(x.high, across)};
    y = {std::min(y.low, up), std::max(y.high, up)};
  }
  return {x, y};
}

}  // namespace

std::optional<Picture> dots(Points points) {
  const auto [x, y] = extent(points);
  if (!(x.low <= x.high)) return std::nullopt;
  return Picture{.kind = Picture::Kind::Dots, .curves = {std::move(points)}, .x = x, .y = y};
}

std::optional<Picture> trace_picture(const std::vector<std::vector<double>>& chains) {
  Picture out{.x = {1, 1}, .y = {INFINITY, -INFINITY}};
  for (const auto& chain : chains) {
    Points& curve = out.curves.emplace_back();
    for (std::size_t i = 0; i < chain.size(); ++i) curve.emplace_back(static_cast<double>(i + 1), chain[i]);
    const Range y = extent(curve).second;
    out.y = {std::min(out.y.low, y.low), std::max(out.y.high, y.high)};
    out.x.high = std::max(out.x.high, static_cast<double>(chain.size()));
  }
  return out.y.low <= out.y.high ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Picture> histogram(std::vector<double> values, int columns) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto whole = [](double v) { return v == std::floor(v); };
  const bool discrete = std::ranges::all_of(values, whole) && values.back() - values.front() < 2 * columns;
  Points points;
  double most = 0;
  if (discrete) {
    for (double v = values.front(); v <= values.back(); ++v) {
      const auto [first, last] = std::equal_range(values.begin(), values.end(), v);
      points.emplace_back(v, static_cast<double>(last - first));
    }
  } else {
    // Outliers would leave one bar: the picture shows the inner 99.8 % where the rest is far away.
    double low = values.front(), high = values.back();
    const double q_low = quantile(values, 0.001), q_high = quantile(values, 0.999);
    if (high - low > 3 * (q_high - q_low) && q_high > q_low) low = q_low, high = q_high;
    const int classes = std::clamp(static_cast<int>(2 * std::cbrt(static_cast<double>(values.size()))), 5, 2 * columns);
    std::vector<double> count(static_cast<std::size_t>(classes));
    const double width = high > low ? (high - low) / classes : 1;
    for (const double v : values)
      if (v >= low && v <= high) ++count[std::min<std::size_t>(static_cast<std::size_t>((v - low) / width), count.size() - 1)];
    for (int k = 0; k < 2 * columns; ++k) {  // one bar per dot column
      const auto c = static_cast<std::size_t>(k * classes / (2 * columns));
      points.emplace_back(low + (high - low) * k / (2 * columns - 1), count[c]);
    }
  }
  for (const auto& [at, n] : points) most = std::max(most, n);
  const Range x{points.front().first, points.back().first};
  return Picture{.kind = Picture::Kind::Bars, .curves = {std::move(points)}, .x = x, .y = {0, most}};
}

// ---------------------------------------------------------------- numbers

double quantile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return std::nan("");
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  const double t = at - static_cast<double>(i);
  return i + 1 < sorted.size() && t > 0 ? sorted[i] + t * (sorted[i + 1] - sorted[i]) : sorted[i];
}

Moments moments(std::span<const double> values) {
  Moments out;
  double n = 0, m2 = 0;
  for (const double v : values) {
    const double delta = v - out.mean;
    out.mean += delta / ++n;
    m2 += delta * (v - out.mean);
  }
  out.sd = n > 1 ? std::sqrt(m2 / (n - 1)) : std::nan("");
  return out;
}

std::string summary_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const Moments m = moments(values);
  const auto q = [&](double p) { return quantile(values, p); };
  return fmt::format("  n {}   mean {:.4g}   sd {:.4g}   range {:.4g} to {:.4g}\n  quantiles  5% {:.4g}   25% {:.4g}   50% {:.4g}   75% {:.4g}   95% {:.4g}\n",
                     values.size(), m.mean, m.sd, values.front(), values.back(), q(.05), q(.25), q(.5), q(.75), q(.95));
}

}  // namespace fermiac::repl
