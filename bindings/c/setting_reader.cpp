#include "bindings/c/setting_reader.h"

#include <fmt/format.h>

#include "support/base/json_scan.h"

namespace fermiac::capi {
void SettingReader::require(const char* name) const {
  if (!reader_.has(name)) throw Failure(FERMIAC_ARGUMENT, fmt::format("the option '{}' is needed", name));
}

void SettingReader::threads(const char* name, unsigned& value) {
  value = wanted_threads(value);
  reader_.threads(name, value);
}

/// Values, or what the command line takes.
void SettingReader::init(const char* name, inference::CommonOptions& options) {
  const auto given = reader_.peek(name);
  if (!given) return;
  if (given->starts_with('{')) {
    options.init_values = {std::string(*reader_.take(name))};
  } else if (given->starts_with('[')) {
    for (const std::string_view text : json_elements(*reader_.take(name), name)) options.init_values.emplace_back(text);
  } else {
    options.init = std::string(*given);
    if (given->starts_with('"'))
      reader_.text(name, options.init);
    else
      reader_.take(name);
    if (const std::string problem = inference::init_problem(options.init); !problem.empty())
      throw Failure(FERMIAC_ARGUMENT, fmt::format("{}: {}", name, problem));
  }
}

void SettingReader::mode(const char* name, inference::LaplaceOptions& options) {
  require(name);
  if (reader_.peek(name)->starts_with('{'))
    options.mode_values = std::string(*reader_.take(name));
  else
    reader_.text(name, options.mode);
}

}  // namespace fermiac::capi
