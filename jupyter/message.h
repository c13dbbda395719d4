// Messages of the Jupyter protocol (version 5.3): frames on the wire, signed, and what they hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/json_tree.h"

namespace fermiac::jupyter {

using Frames = std::vector<std::string>;

struct Message {
  Frames identities;   // whom an answer goes to
  std::string type;    // msg_type of the header
  std::string header;  // JSON, as it came: the answer's parent
  JsonValue content;
};

/// Nothing where the frames are no message or the signature is not that of the key. An empty key signs nothing.
std::optional<Message> read_message(const Frames& frames, const std::string& key);

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
