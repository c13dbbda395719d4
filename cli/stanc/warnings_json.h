// `--warn-pedantic=json`: what an editor shows beside the text.
#pragma once

#include <string>
#include <vector>

#include "mir/warnings/warnings.h"

namespace fermiac::stanc {

/// One object a warning: file, line and column of begin and end (lines from 1, columns from 0), severity, message.
std::string warnings_json(const std::vector<mir::Warning>& warnings, const SourceMap& sources);

}  // namespace fermiac::stanc
