#include "support/platform/process_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace fermiac::ad {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// The number behind `label` in a file of such lines; an empty label: the number with which it begins.
std::optional<std::size_t> number_in_file(const std::string& path, std::string_view label) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(label)) continue;
    const char* at = line.data() + label.size();
    while (*at == ' ' || *at == '\t') ++at;
    std::size_t n = 0;
    if (std::from_chars(at, line.data() + line.size(), n).ec != std::errc()) return std::nullopt;
    return n;
  }
  return std::nullopt;
}

/// What a control group may still take: its limit less what is in use, without the files that can be dropped.
std::size_t left_in_group(const std::string& folder) {
  const auto limit = number_in_file(folder + "/memory.max", "");
  const auto used = number_in_file(folder + "/memory.current", "");
  if (!limit || !used) return kUnlimited;
  const std::size_t files = std::min(number_in_file(folder + "/memory.stat", "inactive_file ").value_or(0), *used);
  return *limit - std::min(*limit, *used - files);
}

/// Of the group of this process and all groups around it.
std::size_t left_in_groups() {
  std::ifstream in("/proc/self/cgroup");
  std::size_t left = kUnlimited;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string group = line.substr(3);; group.resize(group.rfind('/'))) {
      left = std::min(left, left_in_group("/sys/fs/cgroup" + group));
      if (group.find('/') == std::string::npos) break;
    }
  }
  return left;
}

std::string_view statistics(std::array<char, 256>& room) {
  const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t n = read(fd, room.data(), room.size());
  close(fd);
  return {room.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
}

}  // namespace

/// The second number of the file is resident pages, the third those of them that files and other processes share.
std::size_t memory_in_use() {
  std::array<char, 256> room;
  const std::string_view text = statistics(room);
  const char* at = text.data();
  std::array<std::size_t, 3> pages{};
  for (std::size_t& n : pages) {
    while (at != text.data() + text.size() && *at == ' ') ++at;
    at = std::from_chars(at, text.data() + text.size(), n).ptr;
  }
  return (pages[1] - std::min(pages[1], pages[2])) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t default_memory_limit() {
  const auto available = number_in_file("/proc/meminfo", "MemAvailable:");
  const std::size_t free = std::min(available ? *available * 1024 : kUnlimited, left_in_groups());
  return free == kUnlimited ? 0 : free / 10 * 8 + memory_in_use();
}

std::size_t peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

bool limit_data(std::size_t bytes) {
  rlimit now{};
  if (getrlimit(RLIMIT_DATA, &now) != 0) return false;
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, bytes);
  setrlimit(RLIMIT_DATA, &now);
  return true;
}

}  // namespace fermiac::ad
