// A small JSON reader for the files the algorithms take themselves: metrics, points. Model data goes another way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inference/result.h"
#include "inference/vectors.h"

namespace fermiac::inference {

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

/// Besides plain JSON, numbers may be NaN, Inf, Infinity, with a sign, bare or as strings. Errors name line and column.
Result parse_json(std::string_view text, JsonValue* out);
/// All numbers of nested arrays in order; `shape` is the size at each depth. False where the arrays are ragged or hold
/// anything but numbers.
bool json_numbers(const JsonValue& value, Vec* out, std::vector<std::size_t>* shape);

}  // namespace fermiac::inference
