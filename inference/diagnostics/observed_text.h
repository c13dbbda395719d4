// How many observations a result is about, and of what.
#pragma once

#include <string>
#include <vector>

#include "support/base/json.h"

namespace fermiac::inference {

/// `150 observations of y`, on a line.
inline std::string observations_line(std::size_t count, const std::vector<std::string>& of_what) {
  std::string out = std::to_string(count) + (count == 1 ? " observation of " : " observations of ");
  for (std::size_t i = 0; i < of_what.size(); ++i) out += (i > 0 ? ", " : "") + of_what[i];
  return out + "\n";
}

inline void add_observations(JsonGroup& object, std::size_t count, const std::vector<std::string>& of_what) {
  object.member("observations") += std::to_string(count);
  JsonGroup of(object.member("of"), JsonGroup::Kind::Array);
  for (const std::string& what : of_what) of.item() += json_quote(what);
  of.end();
}

}  // namespace fermiac::inference
