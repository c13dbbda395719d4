// The text of a gzip file.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace fermiac {

inline std::string unzipped(const std::string& path) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("gzip -dc '" + path + "'").c_str(), "r"), pclose);
  char chunk[65536];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, pipe.get())) text.append(chunk, n);
  return text;
}

}  // namespace fermiac
