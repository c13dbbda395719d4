// Text as HTML shows it.
#pragma once

#include <string>
#include <string_view>

namespace fermiac {

/// For what stands between tags.
std::string html_escape(std::string_view text);

}  // namespace fermiac
