// Messages of the base protocol: a header with Content-Length, an empty line, so many bytes of JSON.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace fermiac::lsp {

/// No message is longer: programs are at most 64 MiB, and JSON may take six bytes for one.
inline constexpr std::size_t kLongestMessage = std::size_t{512} << 20;

class Channel {
 public:
  /// Reads from the descriptor and writes to the stream, which both outlive it.
  Channel(int in, std::FILE* out) : in_(in), out_(out) {}

  enum class Got { Message, End, Bad };
  /// Waits for a message. Bad: what came is none, and `text` says why; the next one is looked for from there on.
  Got read(std::string* text);
  /// There is more to read at once.
  bool pending() const;
  /// False where nobody reads any more.
  bool write(const std::string& message);

 private:
  bool fill();
  bool line(std::string* out);
  bool take(std::size_t bytes, std::string* out);

  int in_;
  std::FILE* out_;
  std::string buffer_;
  std::size_t at_ = 0;  // in the buffer
};

}  // namespace fermiac::lsp
