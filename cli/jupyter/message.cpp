#include "cli/jupyter/message.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <random>

#include "support/base/checksum.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::jupyter {
namespace {

constexpr std::string_view kDelimiter = "<IDS|MSG>";
constexpr std::size_t kEscape = 6;  // characters of \uXXXX
constexpr std::size_t kParts = 5;  // signature, header, parent header, metadata, content

std::string random_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

std::string now() {
  const auto time = std::chrono::system_clock::now();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count() % 1000000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(time)), micros);
}

/// Compares every character, so that the time does not say where a wrong one stands.
bool same_signature(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differs |= a[i] ^ b[i];
  return differs == 0;
}

/// The unit of UTF-16 whose escape begins at `at`, or 0.
unsigned unit_at(std::string_view json, std::size_t at) {
  unsigned unit = 0;
  if (json.substr(at, 2) != "\\u" || at + kEscape > json.size()) return 0;
  const char* const end = json.data() + at + kEscape;
  return std::from_chars(json.data() + at + 2, end, unit, 16).ptr == end ? unit : 0;
}
bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// JSON in which escapes of surrogates that are not pairs are those of U+FFFD.
std::string with_whole_surrogates(std::string json) {
  for (std::size_t at = 0; (at = json.find('\\', at)) != std::string::npos;) {
    const unsigned unit = unit_at(json, at);
    const bool pair = is_high(unit) && is_low(unit_at(json, at + kEscape));
    if (!pair && (is_high(unit) || is_low(unit))) json.replace(at, kEscape, "\\ufffd");
    at += pair ? 2 * kEscape : 2;
  }
  return json;
}

}  // namespace

bool Signatures::is_new(const Frames& frames) {
  const auto delimiter = std::ranges::find(frames, kDelimiter);
  if (frames.end() - delimiter < 2 || delimiter[1].empty()) return true;
  const std::lock_guard lock(mutex_);
  return known_.insert(delimiter[1]).second;
}

std::optional<Message> read_message(const Frames& frames, const std::string& key) {
  const auto delimiter = std::ranges::find(frames, kDelimiter);
  if (static_cast<std::size_t>(frames.end() - delimiter) < kParts + 1) return std::nullopt;
  const std::string* const part = &*delimiter + 1;
  if (!key.empty() && !same_signature(part[0], hmac_sha256_hex(key, {part[1], part[2], part[3], part[4]}))) return std::nullopt;
  Message out{.identities = Frames(frames.begin(), delimiter), .type = {}, .header = part[1], .content = {}};
  JsonValue header;
  if (!parse_json(with_whole_surrogates(part[1]), &header) || !parse_json(with_whole_surrogates(part[4]), &out.content)) return std::nullopt;
  out.type = json_string_or(header.find("msg_type"), "");
  return out;
}

Writer::Writer(std::string key) : key_(std::move(key)), session_(random_name()) {}

Frames Writer::frames(const Frames& identities, const std::string& type, const std::string& parent, const std::string& content) {
  const std::string header = json_object({{"msg_id", json_quote(fmt::format("{}_{}", session_, ++sent_))},
                                          {"session", json_quote(session_)},
                                          {"username", "\"fermiac\""},
                                          {"date", json_quote(now())},
                                          {"msg_type", json_quote(type)},
                                          {"version", "\"5.3\""}});
  const std::string from = parent.empty() ? "{}" : parent;
  const std::string signature = key_.empty() ? "" : hmac_sha256_hex(key_, {header, from, "{}", content});
  Frames out = identities;
  out.insert(out.end(), {std::string(kDelimiter), signature, header, from, "{}", content});
  return out;
}

}  // namespace fermiac::jupyter
