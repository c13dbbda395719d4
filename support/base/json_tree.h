// A small JSON reader that gives trees, for metrics, points, known values, messages of editors and notebooks. Model data goes another way: json_scan.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/base/status.h"

namespace fermiac {

struct JsonMember;

struct JsonValue {
  enum class Kind { Null, Bool, Number, String, Array, Object } kind = Kind::Null;
  double number = 0;
  std::string string;
  std::vector<JsonValue> items;     // Array
  std::vector<JsonMember> members;  // Object, in file order

  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

/// Besides plain JSON, numbers may be NaN, Inf, Infinity, with a sign, bare or as strings. The failure says what is
/// wrong with line and column.
Status parse_json(std::string_view text, JsonValue* out);
/// All numbers of nested arrays in order; `shape` is the size at each depth. False where the arrays are ragged or hold
/// anything but numbers.
bool json_numbers(const JsonValue& value, std::vector<double>* out, std::vector<std::size_t>* shape);

}  // namespace fermiac
