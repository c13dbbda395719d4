// Points on the unconstrained scale as JSON: an array of arrays of numbers.
#include <fmt/format.h>

#include <limits>

#include "interp/io/data_files.h"
#include "support/base/json_scan.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::interp {
namespace {

/// NaN, Inf, Infinity, with a sign; quoted or bare.
double special(JsonScan& scan, std::string_view text) {
  const double sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Inf" || text == "Infinity") return sign * std::numeric_limits<double>::infinity();
  scan.fail("a number was expected");
}

double number(JsonScan& scan) {
  switch (scan.peek()) {
    case JsonToken::Word: return special(scan, scan.word());
    case JsonToken::String: return special(scan, scan.string());
    case JsonToken::Number: break;
    default: scan.fail("a number was expected");
  }
  const std::size_t start = scan.offset();
  const std::string_view text = scan.number();
  double value = 0;
  if (read_number(text, &value) != NumberText::Number)
    scan.fail_at(start, fmt::format("{} does not fit into a double", shown(text)));
  return value;
}

std::vector<double> point(JsonScan& scan) {
  std::vector<double> values;
  scan.expect('[', "a point");
  if (scan.accept(']')) return values;
  do values.push_back(number(scan));
  while (scan.accept(','));
  scan.expect(']', "a point");
  return values;
}

}  // namespace

std::vector<std::vector<double>> parse_points(std::string_view text, std::string_view source) {
  JsonScan scan(text, source);
  if (scan.peek() != JsonToken::Array) scan.fail("an array of points was expected");
  std::vector<std::vector<double>> points;
  const std::size_t start = scan.offset();
  scan.accept('[');
  if (scan.peek() == JsonToken::Array) {
    do points.push_back(point(scan));
    while (scan.accept(','));
    scan.expect(']', "the array of points");
  } else if (!scan.accept(']')) {
    scan = JsonScan(text, source, start);
    points.push_back(point(scan));
  }
  scan.expect_end();
  return points;
}

}  // namespace fermiac::interp
