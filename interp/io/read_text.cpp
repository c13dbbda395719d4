#include "interp/io/read_text.h"

#include <fmt/format.h>

#include <array>

#include "autodiff/memory.h"
#include "interp/io/json_scan.h"

namespace fermiac::interp {

std::string read_text(std::istream& in, const std::string& name, std::size_t most) {
  std::string text;
  for (std::array<char, 65536> chunk; in && text.size() <= most;) {
    in.read(chunk.data(), chunk.size());
    const auto n = static_cast<std::size_t>(in.gcount());
    if (text.size() + n > text.capacity()) ad::memory_point(2 * text.capacity());
    text.append(chunk.data(), n);
  }
  if (in.bad()) throw DataError(fmt::format("cannot read '{}'", name));
  if (text.size() > most) throw DataError(fmt::format("'{}' is longer than {}", name, ad::memory_text(most)));
  return text;
}

}  // namespace fermiac::interp
