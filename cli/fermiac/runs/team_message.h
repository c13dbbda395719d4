// What the processes that draw the chains of one run tell each other, besides jobs of map_rect.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interp/parallel/message.h"

namespace fermiac::cli {

/// What the first process has settled for all.
struct SharedRun {
  std::uint64_t seed = 0;
  std::string folder, name;  // of the files
};

/// From the first process to another one.
struct Order {
  enum class Kind : std::uint8_t { Alive, Begin, GiveUp, Stop, End };
  Kind kind = Kind::Alive;
  bool together = true;  // End: all processes are there, and leave together
  SharedRun run;         // Begin

  Message pack() const;
  static Order unpack(Message message);
};

/// To the first process.
struct Report {
  enum class Kind : std::uint8_t { Alive, Loaded, Done };
  Kind kind = Kind::Alive;
  bool well = true;          // Loaded: it has; Done: all chains are complete
  std::string error;         // Done: why they are not
  std::string printed;       // whole lines
  std::vector<std::pair<std::string, std::string>> pieces;  // of files: name, what follows on what was sent
  std::vector<std::string> files;                           // Done: those that are to stay, of which pieces were sent

  Message pack() const;
  static Report unpack(Message message);
};

}  // namespace fermiac::cli
