#include "bindings/c/option_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "inference/model/former_names.h"
#include "support/base/json.h"
#include "support/base/json_scan.h"
#include "support/base/json_tree.h"

namespace fermiac::capi {
namespace {

std::string with_hyphens(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

/// `1e3` and `1000.0` as `1000`; other texts as they are.
std::string as_whole_number(std::string_view text) {
  constexpr double kExact = 9007199254740992;  // above, doubles skip whole numbers
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  const bool is_whole = error == std::errc() && end == text.data() + text.size() && x == std::floor(x) && std::fabs(x) <= kExact;
  return is_whole ? fmt::format("{:.0f}", x) : std::string(text);
}

using inference::OptionRow;
using Kind = OptionRow::Kind;

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
      const std::string name(inference::present_option_name(with_hyphens(scan.string())));
      scan.expect(':', "after the name of an option");
      scan.peek();
      const std::size_t begin = scan.offset();
      scan.skip_value();
      if (!members_.emplace(name, std::string_view(text_).substr(begin, scan.offset() - begin)).second)
        scan.fail_at(at, fmt::format("the option '{}' is given twice", shown(name)));
    }
    scan.expect_end();
  } catch (const InputError& e) {
    throw InputError(StatusCode::InvalidArgument, e.what());
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

void OptionReader::know(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.emplace_back(name);
}

void OptionReader::refuse_rest() const {
  if (members_.empty()) return;
  throw InputError(StatusCode::InvalidArgument, fmt::format("{} has no option '{}'; its options are {}", what_, shown(members_.begin()->first),
                                              fmt::join(known_, ", ")));
}

void OptionReader::refuse(std::string_view name, std::string_view found, std::string_view expected) {
  throw InputError(StatusCode::InvalidArgument, fmt::format("{} is {}, but must be {}", name, shown(found), expected));
}

std::string OptionReader::string_of(std::string_view name, std::string_view text) const {
  JsonValue value;
  if (const Status problem = parse_json(text, &value); !problem)
    throw InputError(StatusCode::InvalidArgument, fmt::format("options of {}: {}", what_, problem.message));
  if (value.kind != JsonValue::Kind::String) refuse(name, text, "a text in double quotes");
  return std::move(value.string);
}

std::vector<std::string> OptionReader::texts_of(std::string_view name, std::string_view text) const {
  if (!text.starts_with('[')) refuse(name, text, "an array of texts");
  std::vector<std::string> out;
  for (const std::string_view item : json_elements(text, name)) out.push_back(string_of(name, item));
  return out;
}

void OptionReader::read(const OptionRow& row) {
  if (row.kind == Kind::Retired) return ignore(row.name);
  const auto given = take(row.name);
  const bool has_values = row.kind == Kind::Init || row.kind == Kind::Mode;
  if (!given && (row.required || row.kind == Kind::Mode))
    throw InputError(StatusCode::InvalidArgument, fmt::format("the option '{}' is needed", row.name));
  if (!given) return;
  if (row.kind == Kind::Files) return row.set_all(texts_of(row.name, *given));
  if (has_values && given->starts_with('{')) return row.set_all({std::string(*given)});
  if (row.kind == Kind::Init && given->starts_with('[')) {
    const auto items = json_elements(*given, row.name);
    return row.set_all({items.begin(), items.end()});
  }
  const std::string text = text_for(row, *given);
  if (!row.set(text)) throw InputError(StatusCode::InvalidArgument, row.refusal(row.name, row.kind == Kind::Init ? text : shown(*given)));
}

std::string OptionReader::text_for(const OptionRow& row, std::string_view given) const {
  const bool quoted = given.starts_with('"');
  const bool takes_number = row.kind == Kind::Whole || row.kind == Kind::Real || row.kind == Kind::Threads || row.kind == Kind::Flag;
  if (!takes_number && (quoted || row.kind != Kind::Init)) return string_of(row.name, given);
  const auto quoted_word = [](const std::string& word) { return json_quote(word); };
  if (std::ranges::find(row.choices, given, quoted_word) != row.choices.end()) return string_of(row.name, given);
  return row.kind == Kind::Whole || row.kind == Kind::Threads ? as_whole_number(given) : std::string(given);
}

}  // namespace fermiac::capi
