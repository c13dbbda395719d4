#include "cli/lsp/uri.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace fermiac::lsp {
namespace {
constexpr std::string_view kScheme = "file://";
}

std::string path_of_uri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return "";
  uri.remove_prefix(kScheme.size());
  uri = uri.substr(std::min(uri.find('/'), uri.size()));  // behind a host
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned byte = 0;
    const bool escaped = uri[i] == '%' && i + 2 < uri.size() &&
                         std::from_chars(uri.data() + i + 1, uri.data() + i + 3, byte, 16).ptr == uri.data() + i + 3;
    out += escaped ? static_cast<char>(byte) : uri[i];
    if (escaped) i += 2;
  }
  return out;
}

std::string uri_of_path(std::string_view path) {
  std::string out(kScheme);
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-._~").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace fermiac::lsp
