// Pictures as SVG: one element with axes, sizes in pixels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "repl/session/plot.h"

namespace fermiac::repl {
namespace {

constexpr double kWidth = 560, kHeight = 280, kLeft = 70, kRight = 25, kTop = 12, kBottom = 30;  // margins hold the labels
constexpr std::array<const char*, 6> kColours = {"#3b6ea8", "#c4622d", "#4f8a3c", "#8b5aa3", "#a8893b", "#4a9a9a"};

Range widened(Range r) { return r.high > r.low ? r : Range{r.low - 0.5, r.low + 0.5}; }

/// With room for half a bar at both ends.
Range bar_range(const Picture& picture) {
  const Range r = widened(picture.x);
  if (picture.kind != Picture::Kind::Bars || picture.curves.empty() || picture.curves[0].size() < 2) return r;
  const double half = (r.high - r.low) / static_cast<double>(picture.curves[0].size() - 1) / 2;
  return {r.low - half, r.high + half};
}

class Drawing {
 public:
  explicit Drawing(const Picture& picture) : picture_(picture), x_(bar_range(picture)), labelled_(widened(picture.x)), y_(widened(picture.y)) {}

  std::string text() {
    out_ = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                       "font-family=\"sans-serif\" font-size=\"12\">\n", kWidth, kHeight);
    for (std::size_t i = 0; i < picture_.curves.size(); ++i) {
      const char* colour = kColours[i % kColours.size()];
      if (picture_.kind == Picture::Kind::Bars) bars(picture_.curves[i], colour);
      else if (picture_.kind == Picture::Kind::Dots) dots(picture_.curves[i], colour);
      else curve(picture_.curves[i], colour);
    }
    axes();
    return out_ + "</svg>\n";
  }

 private:
  double across(double x) const { return kLeft + (std::clamp(x, x_.low, x_.high) - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight); }
  double up(double y) const { return kHeight - kBottom - (std::clamp(y, y_.low, y_.high) - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom); }

  /// Where a number is not finite, the curve is interrupted.
  void curve(const Points& points, const char* colour) {
    for (std::size_t i = 0; i < points.size();) {
      std::size_t end = i;
      std::string path;
      for (; end < points.size() && std::isfinite(points[end].second); ++end)
        path += fmt::format("{:.1f},{:.1f} ", across(points[end].first), up(points[end].second));
      if (end > i) piece(points, i, end, path, colour);
      i = end + 1;
    }
  }
  void piece(const Points& points, std::size_t begin, std::size_t end, const std::string& path, const char* colour) {
    const double bottom = kHeight - kBottom;
    if (picture_.kind == Picture::Kind::Area)
      out_ += fmt::format("<polygon points=\"{:.1f},{:.1f} {}{:.1f},{:.1f}\" fill=\"{}\" fill-opacity=\"0.3\"/>\n", across(points[begin].first), bottom, path,
                          across(points[end - 1].first), bottom, colour);
    out_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>\n", path, colour);
  }

  void dots(const Points& points, const char* colour) {
    for (const auto& [x, y] : points)
      if (std::isfinite(x) && std::isfinite(y))
        out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\" fill=\"{}\" fill-opacity=\"0.5\"/>\n", across(x), up(y), colour);
  }
  void bars(const Points& points, const char* colour) {
    const double room = (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(points.size(), 1));
    const double width = points.size() > 60 ? room + 0.5 : 0.7 * room;  // many bars are a histogram and touch
    for (const auto& [x, y] : points) {
      if (!(y > 0)) continue;
      const double left = across(x) - width / 2;
      out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", left, up(y), width,
                          kHeight - kBottom - up(y), colour);
    }
  }

  void axes() {
    out_ += fmt::format("<path d=\"M{0},{1}V{2}H{3}\" fill=\"none\" stroke=\"#444\"/>\n", kLeft, kTop, kHeight - kBottom, kWidth - kRight);
    for (const double t : {0.0, 0.5, 1.0}) {
      label(across(labelled_.low + t * (labelled_.high - labelled_.low)), kHeight - kBottom + 18, "middle", labelled_, t);
      if (t != 0.5) label(kLeft - 8, kHeight - kBottom - t * (kHeight - kTop - kBottom) + 4, "end", y_, t);
    }
  }
  void label(double x, double y, const char* anchor, Range range, double t) {
    const double value = range.low + t * (range.high - range.low);
    const double shown = std::fabs(value) < 1e-10 * (range.high - range.low) ? 0.0 : value;
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"#444\">{:.4g}</text>\n", x, y, anchor, shown);
  }

  const Picture& picture_;
  Range x_, labelled_, y_;
  std::string out_;
};

}  // namespace

std::string picture_svg(const Picture& picture) { return Drawing(picture).text(); }

}  // namespace fermiac::repl
