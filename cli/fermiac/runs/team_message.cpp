#include "cli/fermiac/runs/team_message.h"

namespace fermiac::cli {

using interp::Packer;
using interp::Unpacker;

Message Order::pack() const {
  Packer to;
  to.put(kind);
  to.put(together);
  to.put(run.seed);
  to.put_text(run.folder);
  to.put_text(run.name);
  return to.take();
}

Order Order::unpack(Message message) {
  Unpacker from(std::move(message));
  Order out;
  out.kind = from.get<Kind>();
  out.together = from.get<bool>();
  out.run.seed = from.get<std::uint64_t>();
  out.run.folder = from.get_text();
  out.run.name = from.get_text();
  return out;
}

Message Report::pack() const {
  Packer to;
  to.put(kind);
  to.put(well);
  to.put_text(error);
  to.put_text(printed);
  to.put(pieces.size());
  for (const auto& [name, bytes] : pieces) {
    to.put_text(name);
    to.put_text(bytes);
  }
  to.put(files.size());
  for (const std::string& name : files) to.put_text(name);
  return to.take();
}

Report Report::unpack(Message message) {
  Unpacker from(std::move(message));
  Report out;
  out.kind = from.get<Kind>();
  out.well = from.get<bool>();
  out.error = from.get_text();
  out.printed = from.get_text();
  out.pieces.resize(from.get<std::size_t>());
  for (auto& [name, bytes] : out.pieces) {
    name = from.get_text();
    bytes = from.get_text();
  }
  out.files.resize(from.get<std::size_t>());
  for (std::string& name : out.files) name = from.get_text();
  return out;
}

}  // namespace fermiac::cli
