// Tables for notebooks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inference/summary.h"

namespace fermiac::repl {

/// Text between tags, and in their attributes.
std::string html_escape(std::string_view text);
/// Posterior summaries, a row per column of the draws.
std::string summary_html(const std::vector<inference::ColumnSummary>& columns);

}  // namespace fermiac::repl
