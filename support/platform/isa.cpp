#include "support/platform/isa.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace fermiac {
namespace {

#define FERMIAC_NAME(name, unused) #name,
constexpr std::string_view kNames[] = {FERMIAC_FOR_ISAS(FERMIAC_NAME, 0)};
#undef FERMIAC_NAME

std::size_t best_supported() {
#if defined(__x86_64__) && !defined(FERMIAC_BASELINE_ONLY)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return 2;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 1;
#endif
  return 0;
}

/// FERMIAC_ISA lowers the level; asking for more than the processor has gives what it has.
std::size_t choose() {
  const std::size_t best = best_supported();
  const char* forced = std::getenv("FERMIAC_ISA");
  if (forced == nullptr) return best;
  const auto at = std::find(std::begin(kNames), std::end(kNames), forced);
  return at == std::end(kNames) ? best : std::min(best, static_cast<std::size_t>(at - kNames));
}

}  // namespace

std::span<const std::string_view> isas_of_build() {
  return kNames;
}

std::size_t active_isa_place() {
  static const std::size_t place = choose();
  return place;
}

std::string unknown_isa() {
  constexpr std::string_view kOfOtherBuilds[] = {"sse2", "avx2", "avx512"};  // which a build may leave out: it uses what it has
  const auto is_in = [](const auto& names, std::string_view name) { return std::find(std::begin(names), std::end(names), name) != std::end(names); };
  const char* forced = std::getenv("FERMIAC_ISA");
  if (forced == nullptr || *forced == '\0' || is_in(kNames, forced) || is_in(kOfOtherBuilds, forced)) return {};
  return fmt::format("FERMIAC_ISA is '{}' in the environment, which is none of {} and portable", forced, fmt::join(kNames, ", "));
}

}  // namespace fermiac
