#include "bindings/c/place.h"

#include <charconv>

#include "support/base/json.h"

namespace fermiac::capi {
namespace {

/// Takes words and numbers off the beginning of a text.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool word(std::string_view wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  bool number(int* out) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *out);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::optional<Place> place_of(const SourceMap& sources, Span span) {
  if (span == Span{} || span.begin.file >= sources.size()) return {};
  const LineColumn begin = sources.line_column(span.begin);
  const LineColumn end = span.end.file == span.begin.file ? sources.line_column(span.end) : begin;
  return Place{sources.file(span.begin.file).name, static_cast<int>(begin.line), static_cast<int>(begin.column),
               static_cast<int>(end.line), static_cast<int>(end.column)};
}

std::optional<Place> place_in(std::string_view message) {
  constexpr std::string_view kBegin = " (in '", kFileEnd = "', line ";
  const std::size_t at = message.rfind(kBegin);
  if (at == std::string_view::npos || !message.ends_with(')')) return {};
  const std::string_view text = message.substr(at + kBegin.size());
  const std::size_t end = text.find(kFileEnd);
  if (end == std::string_view::npos) return {};
  Place place{.file = std::string(text.substr(0, end))};
  Words words(text.substr(end + kFileEnd.size()));
  if (!words.number(&place.line) || !words.word(", column ") || !words.number(&place.column)) return {};
  place.end_line = place.line;
  place.end_column = place.column;
  if (words.word(" to line ")) {
    if (!words.number(&place.end_line) || !words.word(", column ") || !words.number(&place.end_column)) return {};
  } else if (words.word(" to column ") && !words.number(&place.end_column)) {
    return {};
  }
  return place;
}

fermiac_place c_place(const Place& place) {
  return {sizeof(fermiac_place), place.file.c_str(), place.line, place.column, place.end_line, place.end_column};
}

void append_json(const Place& place, std::string& out) {
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("file") += json_quote(place.file);
  object.member("line") += std::to_string(place.line);
  object.member("column") += std::to_string(place.column);
  object.member("end_line") += std::to_string(place.end_line);
  object.member("end_column") += std::to_string(place.end_column);
  object.end();
}

}  // namespace fermiac::capi
