#include "bindings/c/option_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/base/json_scan.h"

namespace fermiac::capi {
namespace {

std::string with_hyphens(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

}  // namespace

OptionReader::OptionReader(const char* json, std::string what) : text_(json ? json : ""), what_(std::move(what)) {
  if (text_.empty()) return;
  const std::string source = "options of " + what_;
  try {
    JsonScan scan(text_, source);
    if (scan.peek() != JsonToken::Object) scan.fail("options must be one JSON object, beginning with '{'");
    scan.accept('{');
    for (bool first = true; !scan.accept('}'); first = false) {
      if (!first) scan.expect(',', "between two options");
      if (scan.peek() != JsonToken::String) scan.fail("the name of an option was expected, in double quotes");
      const std::size_t at = scan.offset();
      const std::string name = with_hyphens(scan.string());
      scan.expect(':', "after the name of an option");
      scan.peek();
      const std::size_t begin = scan.offset();
      scan.skip_value();
      if (!members_.emplace(name, std::string_view(text_).substr(begin, scan.offset() - begin)).second)
        scan.fail_at(at, fmt::format("the option '{}' is given twice", shown(name)));
    }
    scan.expect_end();
  } catch (const DataError& e) {
    throw Failure(FERMIAC_ARGUMENT, e.what());
  }
}

std::optional<std::string_view> OptionReader::take(std::string_view name) {
  know(name);
  const auto found = members_.find(name);
  if (found == members_.end()) return {};
  const std::string_view out = found->second;
  members_.erase(found);
  return out;
}

std::optional<std::string_view> OptionReader::peek(std::string_view name) {
  know(name);
  const auto found = members_.find(name);
  return found == members_.end() ? std::nullopt : std::optional(found->second);
}

void OptionReader::know(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.emplace_back(name);
}

void OptionReader::refuse_rest() const {
  if (members_.empty()) return;
  throw Failure(FERMIAC_ARGUMENT, fmt::format("{} has no option '{}'; its options are {}", what_, shown(members_.begin()->first),
                                              fmt::join(known_, ", ")));
}

void OptionReader::refuse(std::string_view name, std::string_view found, std::string_view expected) {
  throw Failure(FERMIAC_ARGUMENT, fmt::format("{} is {}, but must be {}", name, shown(found), expected));
}

JsonValue OptionReader::tree(std::string_view text) const {
  JsonValue out;
  if (const Status problem = parse_json(text, &out); !problem)
    throw Failure(FERMIAC_ARGUMENT, fmt::format("options of {}: {}", what_, problem.message));
  return out;
}

std::string OptionReader::string_of(std::string_view name, std::string_view text) const {
  JsonValue value = tree(text);
  if (!text.starts_with('"')) refuse(name, text, "a text in double quotes");
  return std::move(value.string);
}

void OptionReader::text(std::string_view name, std::string& value) {
  if (const auto given = take(name)) value = string_of(name, *given);
}

void OptionReader::texts(std::string_view name, std::vector<std::string>& values) {
  const auto given = take(name);
  if (!given) return;
  const JsonValue all = tree(*given);
  if (all.kind != JsonValue::Kind::Array) refuse(name, *given, "an array of texts");
  values.clear();
  for (const JsonValue& item : all.items) {
    if (item.kind != JsonValue::Kind::String) refuse(name, *given, "an array of texts");
    values.push_back(item.string);
  }
}

void OptionReader::flag(std::string_view name, bool& value) {
  const auto given = take(name);
  if (!given) return;
  if (*given != "true" && *given != "false") refuse(name, *given, "true or false");
  value = *given == "true";
}

void OptionReader::threads(std::string_view name, unsigned& value) {
  constexpr int kMost = 4096;
  const auto given = take(name);
  if (!given) return;
  int count = 0;
  if (!read_number_option(*given, &count) || (count != -1 && (count < 1 || count > kMost)))
    refuse(name, *given, fmt::format("a whole number from 1 to {}, or -1 for all cores", kMost));
  value = count == -1 ? 0 : static_cast<unsigned>(count);
}

}  // namespace fermiac::capi
