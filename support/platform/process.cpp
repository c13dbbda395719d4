#include "support/platform/process.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace fermiac {

std::string own_program() { return "/proc/self/exe"; }

std::vector<std::string> own_arguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);  // a zero after each
  std::vector<std::string> out;
  for (std::string word; std::getline(in, word, '\0');) out.push_back(word);
  return out;
}

void set_environment(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

std::string start_anew(std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  execv(own_program().c_str(), words.data());
  return std::strerror(errno);
}

}  // namespace fermiac
