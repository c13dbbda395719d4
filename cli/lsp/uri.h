// file:// addresses of files.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::lsp {

/// Empty for what is no file.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace fermiac::lsp
