#include "support/base/json_build.h"

#include "support/base/json.h"

namespace fermiac {

std::string json_object(const std::vector<std::pair<std::string_view, std::string>>& members) {
  std::string out;
  JsonGroup group(out, JsonGroup::Kind::Object, kJsonTight);
  for (const auto& [key, value] : members)
    if (!value.empty()) group.member(key) += value;
  group.end();
  return out;
}

std::string json_array(const std::vector<std::string>& items) {
  std::string out;
  JsonGroup group(out, JsonGroup::Kind::Array, kJsonTight);
  for (const std::string& item : items) group.item() += item;
  group.end();
  return out;
}

std::string json_text(const JsonValue& value) {
  std::vector<std::string> items;
  std::vector<std::pair<std::string_view, std::string>> members;
  switch (value.kind) {
    case JsonValue::Kind::Null: return "null";
    case JsonValue::Kind::Bool: return value.number != 0 ? "true" : "false";
    case JsonValue::Kind::Number: return json_number(value.number);
    case JsonValue::Kind::String: return json_quote(value.string);
    case JsonValue::Kind::Array:
      for (const JsonValue& item : value.items) items.push_back(json_text(item));
      return json_array(items);
    case JsonValue::Kind::Object:
      for (const JsonMember& member : value.members) members.emplace_back(member.key, json_text(member.value));
      return json_object(members);
  }
  return "null";
}

std::string json_string_or(const JsonValue* value, std::string_view otherwise) {
  return value && value->kind == JsonValue::Kind::String ? value->string : std::string(otherwise);
}

double json_number_or(const JsonValue* value, double otherwise) {
  return value && value->kind == JsonValue::Kind::Number ? value->number : otherwise;
}

bool json_is_true(const JsonValue* value) { return value && value->kind == JsonValue::Kind::Bool && value->number != 0; }

const JsonValue* json_path(const JsonValue& value, const std::vector<std::string_view>& keys) {
  const JsonValue* at = &value;
  for (const std::string_view key : keys)
    if (!(at = at->find(key))) return nullptr;
  return at;
}

}  // namespace fermiac
