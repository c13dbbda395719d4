// Messages of the Jupyter protocol (version 5.3): frames on the wire, signed, and what they hold.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "support/base/json_tree.h"

namespace fermiac::jupyter {

using Frames = std::vector<std::string>;

struct Message {
  Frames identities;   // whom an answer goes to
  std::string type;    // msg_type of the header
  std::string header;  // JSON, as it came: the answer's parent
  JsonValue content;
};

/// Nothing where the frames are not a message or the signature is not that of the key. An empty key signs nothing. A surrogate of
/// UTF-16 without its other half, which is not a character, is read as U+FFFD.
std::optional<Message> read_message(const Frames& frames, const std::string& key);

/// The signatures of the messages that came, so that one which somebody recorded and sends again is recognized.
class Signatures {
 public:
  /// False: a message with the signature of these frames came before. Without a key there are no signatures, and all is new.
  bool is_new(const Frames& frames);

 private:
  std::mutex mutex_;  // the sockets are served by two threads
  std::unordered_set<std::string> known_;
};

/// Makes frames of answers: headers with numbers that no other message has, signatures.
class Writer {
 public:
  explicit Writer(std::string key);
  /// `content` is a JSON object; `parent` the header of the message that is answered, or empty.
  Frames frames(const Frames& identities, const std::string& type, const std::string& parent, const std::string& content);

 private:
  std::string key_, session_;
  unsigned long long sent_ = 0;
};

}  // namespace fermiac::jupyter
