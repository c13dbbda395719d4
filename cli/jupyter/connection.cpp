#include "cli/jupyter/connection.h"

#include <stdexcept>

#include "support/base/json_build.h"
#include "support/base/text_file.h"

namespace fermiac::jupyter {

Connection Connection::read(const std::string& path) {
  const TextFile file = read_text_file(path, false);
  if (file.state != TextFile::State::Read) throw std::runtime_error(file.problem);
  JsonValue json;
  const auto fail = [&](const std::string& why) -> std::runtime_error { return std::runtime_error("connection file '" + path + "': " + why); };
  if (const Status problem = parse_json(file.text, &json); !problem) throw fail(problem.message);
  if (const std::string scheme = json_string_or(json.find("signature_scheme"), "hmac-sha256"); scheme != "hmac-sha256")
    throw fail("signatures '" + scheme + "' are unknown; only hmac-sha256 is known");
  const std::string transport = json_string_or(json.find("transport"), "tcp"), ip = json_string_or(json.find("ip"), "127.0.0.1");
  const auto address = [&](std::string_view port) {
    const double number = json_number_or(json.find(port), 0);
    if (!(number >= 1 && number <= 65535)) throw fail("there is no number '" + std::string(port) + "'");
    return transport + "://" + ip + (transport == "ipc" ? "-" : ":") + std::to_string(static_cast<int>(number));
  };
  return {.shell = address("shell_port"), .control = address("control_port"), .iopub = address("iopub_port"),
          .input = address("stdin_port"), .heartbeat = address("hb_port"), .key = json_string_or(json.find("key"), "")};
}

}  // namespace fermiac::jupyter
