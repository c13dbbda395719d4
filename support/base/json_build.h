// Short JSON in one expression: json_object({{"line", "3"}, {"text", json_quote(t)}}). Values are JSON already.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/base/json_tree.h"

namespace fermiac {

/// Members whose value is empty are left out.
std::string json_object(const std::vector<std::pair<std::string_view, std::string>>& members);
std::string json_array(const std::vector<std::string>& items);
/// A value as it was read.
std::string json_text(const JsonValue& value);

/// What a value is where it is what it should be; else `otherwise`.
std::string json_string_or(const JsonValue* value, std::string_view otherwise);
double json_number_or(const JsonValue* value, double otherwise);
bool json_is_true(const JsonValue* value);
/// Member of a member …, null where one is missing: json_path(params, {"textDocument", "uri"}).
const JsonValue* json_path(const JsonValue& value, const std::vector<std::string_view>& keys);

}  // namespace fermiac
