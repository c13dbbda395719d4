#include "cli/lsp/channel.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

#include "support/platform/descriptor.h"
#include "support/platform/output.h"

namespace fermiac::lsp {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::size_t kLongestLine = 4096;  // of a header

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The number behind the field's name, wherever in the line that stands: after a message whose length was wrong the line
/// begins with what was left of it.
std::optional<std::size_t> length_in(std::string_view line) {
  static constexpr std::string_view kField = "content-length:";
  const auto same = [](char a, char b) { return lower(a) == b; };
  const auto found = std::search(line.begin(), line.end(), kField.begin(), kField.end(), same);
  if (found == line.end()) return std::nullopt;
  std::string_view rest = line.substr(static_cast<std::size_t>(found - line.begin()) + kField.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  std::size_t length = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  return read.ec == std::errc() ? std::optional(length) : std::nullopt;
}

}  // namespace

bool Channel::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kPiece);
  const std::size_t got = read_some(in_, std::span(buffer_).subspan(had));
  buffer_.resize(had + got);
  return got > 0;
}

/// Of a line that is longer than any header the end.
bool Channel::line(std::string* out) {
  out->clear();
  while (true) {
    const std::size_t end = std::min(buffer_.find('\n', at_), buffer_.size());
    out->append(buffer_, at_, end - at_);
    if (out->size() > kLongestLine) out->erase(0, out->size() - kLongestLine);
    at_ = end;
    if (end < buffer_.size()) break;
    if (!fill()) return false;
  }
  ++at_;
  if (out->ends_with('\r')) out->pop_back();
  return true;
}

bool Channel::take(std::size_t bytes, std::string* out) {
  while (bytes > 0) {
    if (at_ == buffer_.size() && !fill()) return false;
    const std::size_t now = std::min(bytes, buffer_.size() - at_);
    if (out) out->append(buffer_, at_, now);
    at_ += now;
    bytes -= now;
  }
  return true;
}

Channel::Got Channel::read(std::string* text) {
  std::optional<std::size_t> length;
  bool any = false;
  for (std::string header; line(&header);) {
    if (const auto found = length_in(header)) length = found;
    any = any || !header.empty();
    if (!header.empty() || !any) continue;  // an empty line between messages is none of theirs
    text->clear();
    if (!length) return *text = "a message needs a header Content-Length", Got::Bad;
    const bool fits = *length <= kLongestMessage;
    if (!take(*length, fits ? text : nullptr)) return Got::End;
    if (!fits) return *text = "a message is at most 512 MiB long", Got::Bad;
    return Got::Message;
  }
  return Got::End;
}

bool Channel::pending() const {
  return at_ < buffer_.size() || input_waits(in_, 0);
}

bool Channel::write(const std::string& message) {
  return write_output("Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message, out_) && flush_output(out_);
}

}  // namespace fermiac::lsp
