#include "cli/fermiac/options/process_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <thread>

#include "support/base/memory.h"
#include "support/platform/process_memory.h"
#include "support/platform/stack.h"

namespace fermiac::cli {
namespace {

[[noreturn]] void wrong_limit(const std::string& text) {
  throw CLI::ValidationError(
      "--max-memory is '" + text + "', but must be a positive number of bytes, with k, M or G behind it if wanted",
      CLI::ExitCodes::ValidationError);
}

std::size_t bytes_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr std::array<std::string_view, 7> kUnits{"", "k", "K", "m", "M", "g", "G"};
  const auto known = std::ranges::find(kUnits, unit);
  if (error != std::errc() || known == kUnits.end() || !(number > 0)) wrong_limit(text);
  const double bytes = std::ldexp(number, 10 * static_cast<int>((known - kUnits.begin() + 1) / 2));
  if (!(bytes >= 1 && bytes < 9e18)) wrong_limit(text);
  return static_cast<std::size_t>(bytes);
}

}  // namespace

void add_memory_option(CLI::App& command, std::size_t& limit) {
  command
      .add_option_function<std::string>(
          "--max-memory", [&limit](const std::string& text) { limit = bytes_in(text); },
          "Memory limit in bytes, or with suffix k, M or G (default: 80% of the free memory)")
      ->type_name("SIZE");
}

void limit_process_memory(std::size_t limit) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these reserve far more than they use
  // Beside the data: stacks of threads, and what the allocator keeps for each of them.
  const std::size_t other = (std::size_t{256} << 20) + std::max(1U, std::thread::hardware_concurrency()) * kThreadStack;
  if (limit != 0 && ad::limit_data(limit + other)) ad::keep_memory_reserve();
#else
  static_cast<void>(limit);
#endif
}

}  // namespace fermiac::cli
