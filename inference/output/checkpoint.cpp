#include "inference/output/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "inference/model/former_names.h"
#include "inference/output/sample_config.h"
#include "support/base/checksum.h"
#include "support/base/json.h"
#include "support/base/json_tree.h"
#include "support/base/text_file.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;
using Kind = JsonGroup::Kind;

constexpr std::string_view kFormat = "fermiac run 2", kOldFormat = "fermiac run 1";  // which has arguments of the command
constexpr std::string_view kStateMark = "fermiac state 3\n";

Status damaged(const std::string& path, std::string_view why) {
  return Status::failed("'" + path + "' is damaged: " + std::string(why));
}

std::string text_of(const JsonValue& json, std::string_view key) {
  const JsonValue* value = json.find(key);
  return value ? value->string : "";
}

/// The value of an option: an array of texts, one text, or true for a flag, which has none.
std::vector<std::string> texts_of(const JsonValue& json) {
  std::vector<std::string> out;
  for (const JsonValue& item : json.items) out.push_back(item.string);
  if (json.kind == JsonValue::Kind::String) out.push_back(json.string);
  return out;
}

/// In letters: numbers of JSON have 53 bits.
bool read_unsigned(const std::string& text, std::uint64_t* out) {
  char* end = nullptr;
  errno = 0;
  *out = std::strtoull(text.c_str(), &end, 10);
  return errno == 0 && !text.empty() && *end == '\0';
}

/// `CHECKSUM-LEVEL` of a program; records of earlier versions have the version of a file format as a third part.
std::string without_version(const std::string& program) {
  const std::size_t level = program.find('-'), version = program.find('-', level + 1);
  return level == std::string::npos ? program : program.substr(0, version);
}

bool read_record(const JsonValue& json, RunRecord* out) {
  std::uint64_t samples = 0;
  const JsonValue *options = json.find("options"), *arguments = json.find("arguments"), *identity = json.find("identity");
  if (text_of(json, "format") != (options ? kFormat : kOldFormat) || !(options || arguments) || !identity) return false;
  if (!read_unsigned(text_of(json, "seed"), &out->seed) || !read_unsigned(text_of(json, "samples"), &samples)) return false;
  out->samples = static_cast<unsigned>(samples);
  out->folder = text_of(json, "folder");
  out->name = text_of(json, "name");
  if (options)
    for (const JsonMember& option : options->members) out->options.emplace_back(present_option_name(option.key), texts_of(option.value));
  else out->arguments = texts_of(*arguments);
  if (const JsonValue* restarts = json.find("restarts"))
    for (const JsonValue& count : restarts->items) {
      std::uint64_t times = 0;
      if (!read_unsigned(count.string, &times)) return false;
      out->restarts.push_back(static_cast<unsigned>(times));
    }
  for (const JsonMember& part : identity->members) out->identity.emplace_back(part.key, part.key == "the program" ? without_version(part.value.string) : part.value.string);
  return !out->folder.empty() && !out->name.empty();
}

/// Where the lines that begin with # at the start of a CSV file end.
std::size_t end_of_comments(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

/// The comments with another number of draws.
std::string with_count(std::string comments, unsigned samples, bool is_open) {
  constexpr unsigned kDefault = 1000;
  std::string count = std::to_string(samples) + (samples == kDefault && !is_open ? " (Default)" : "");
  if (is_open) count.resize(kCountWidth, ' ');
  const std::size_t at = comments.find(kSamplesKey);
  if (at == std::string::npos) return comments;
  const std::size_t begin = at + kSamplesKey.size();
  return comments.replace(begin, comments.find('\n', begin) - begin, count);
}

Status find_record(const std::string& folder, std::string* out) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) return Status::failed("cannot read the folder '" + folder + "': " + error.message());
  for (const fs::directory_entry& entry : entries) {
    if (!entry.path().filename().string().ends_with(kRecordEnding)) continue;
    if (!out->empty()) return Status::failed("the folder '" + folder + "' has several runs: '" + *out + "', '" + entry.path().string() + "'");
    *out = entry.path().string();
  }
  return out->empty() ? Status::failed("the folder '" + folder + "' has no run to go on with: no file ends in " + std::string(kRecordEnding)) : Status{};
}

Status read_record_at(const std::string& path, RunRecord* out) {
  const fermiac::TextFile file = fermiac::read_text_file(path, false);
  if (file.state != fermiac::TextFile::State::Read) return Status::failed(file.problem);
  JsonValue json;
  if (const Status bad = parse_json(file.text, &json); !bad) return damaged(path, bad.message);
  return read_record(json, out) ? Status{} : damaged(path, "it is no record of a run as this version writes it");
}

/// Options on which no draw depends.
constexpr std::string_view kWithoutEffect[] = {"threads", "lanes",     "output",    "refresh",    "checkpoint-interval", "timeout",    "samples",
                                               "seed",    "overwrite", "timestamp", "no-summary", "gather-files", "save-config"};

/// The record without those.
RunRecord that_matters(RunRecord record) {
  std::erase_if(record.options, [](const auto& option) { return std::ranges::find(kWithoutEffect, option.first) != std::end(kWithoutEffect); });
  return record;
}

}  // namespace

std::vector<std::string> recorded_words(const RunRecord& record) {
  if (!record.arguments.empty()) return record.arguments;
  std::vector<std::string> out;
  for (const auto& [name, values] : record.options) {
    if (values.empty()) out.push_back("--" + name);
    for (const std::string& value : values) out.push_back(name == kModelArgument ? value : "--" + name + "=" + value);
  }
  return out;
}

std::string run_record_text(const RunRecord& record) {
  std::string out;
  JsonGroup object(out, Kind::Object, {",\n ", ": "});
  object.member("format") += json_quote(kFormat);
  object.member("folder") += json_quote(record.folder);
  JsonGroup options(object.member("options"), Kind::Object);
  for (const auto& [name, values] : record.options) {
    std::string& to = options.member(name);
    if (values.empty()) to += "true";
    else if (values.size() == 1) to += json_quote(values[0]);
    else to += json_list(values);
  }
  options.end();
  object.member("name") += json_quote(record.name);
  object.member("seed") += json_quote(std::to_string(record.seed));
  object.member("samples") += json_quote(std::to_string(record.samples));
  if (!record.restarts.empty()) {
    JsonGroup restarts(object.member("restarts"), Kind::Array);
    for (const unsigned times : record.restarts) restarts.item() += json_quote(std::to_string(times));
    restarts.end();
  }
  JsonGroup identity(object.member("identity"), Kind::Object);
  for (const auto& [part, sum] : record.identity) identity.member(part) += json_quote(sum);
  identity.end();
  object.end();
  return out + "\n";
}

Status read_run_record(const std::string& folder, RunRecord* out) {
  std::string path;
  if (Status bad = find_record(folder, &path); !bad) return bad;
  return read_record_at(path, out);
}

bool read_run_record_file(const std::string& path, RunRecord* out) { return bool(read_record_at(path, out)); }

Status check_same_run(const RunRecord& there, const RunRecord& here) {
  if (Status bad = check_identity(there, here.identity); !bad) return bad;
  if (there.seed != here.seed) return Status::failed(fmt::format("the seed of that run is {}, not {}", there.seed, here.seed));
  if (there.samples != here.samples) return Status::failed(fmt::format("each chain of that run has {} draws, not {}", there.samples, here.samples));
  const std::vector<std::string> its = recorded_words(that_matters(there)), ours = recorded_words(that_matters(here));
  if (its == ours) return {};
  return Status::failed(fmt::format("its options were '{}', not '{}'", fmt::join(its, " "), fmt::join(ours, " ")));
}

Status check_identity(const RunRecord& record, const std::vector<std::pair<std::string, std::string>>& now) {
  for (const auto& [part, sum] : record.identity)
    for (const auto& [name, other] : now)
      if (part == name && sum != other) return Status::failed(fmt::format("{} is not that of the run: it was {}, it is {}", part, sum, other));
  return {};
}

std::string chain_state_text(const ChainState& state) {
  std::string body(reinterpret_cast<const char*>(&state.rows), sizeof state.rows);
  body.append(reinterpret_cast<const char*>(&state.restarts), sizeof state.restarts);
  body += state.bytes;
  const std::uint64_t sum = Checksum().add(body).value();
  std::string out(kStateMark);
  out.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return out + body;
}

Status rewind_csv(const std::string& path, std::uint64_t rows, unsigned samples, bool is_open, std::int64_t* header_end, std::int64_t* size) {
  constexpr std::size_t kMost = std::size_t{1} << 40;
  fermiac::TextFile file = fermiac::read_text_file(path, false, kMost);
  if (file.state != fermiac::TextFile::State::Read) return Status::failed(file.problem);
  const std::size_t comments = end_of_comments(file.text);
  if (file.text.size() < comments + rows) return damaged(path, "it is shorter than it was when the state of its chain was saved");
  std::string head = with_count(file.text.substr(0, comments), samples, is_open);
  *size = static_cast<std::int64_t>(head.size() + rows);
  *header_end = static_cast<std::int64_t>(head.size() + file.text.find('\n', comments) + 1 - comments);
  if (head.size() == comments && file.text.starts_with(head)) return {};
  return replace_file(path, head + file.text.substr(comments, rows)).prefixed("cannot write '" + path + "': ");
}

Status read_chain_state(const std::string& path, ChainState* out, bool* found) {
  std::error_code ignored;
  *found = fs::exists(path, ignored);
  if (!*found) return {};
  constexpr std::size_t kMost = std::size_t{1} << 34;
  const fermiac::TextFile file = fermiac::read_text_file(path, false, kMost);
  if (file.state != fermiac::TextFile::State::Read) return Status::failed(file.problem);
  std::string_view rest = file.text;
  std::uint64_t sum = 0;
  if (!rest.starts_with(kStateMark) || rest.size() < kStateMark.size() + sizeof sum + sizeof out->rows + sizeof out->restarts)
    return damaged(path, "it is no state of a chain as this version writes it");
  rest.remove_prefix(kStateMark.size());
  std::memcpy(&sum, rest.data(), sizeof sum);
  rest.remove_prefix(sizeof sum);
  if (Checksum().add(rest).value() != sum) return damaged(path, "its checksum is wrong");
  std::memcpy(&out->rows, rest.data(), sizeof out->rows);
  rest.remove_prefix(sizeof out->rows);
  std::memcpy(&out->restarts, rest.data(), sizeof out->restarts);
  out->bytes = rest.substr(sizeof out->restarts);
  return {};
}

}  // namespace fermiac::inference
