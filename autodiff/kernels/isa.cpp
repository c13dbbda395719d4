// Chooses the instruction set once and builds the table of maps for it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autodiff/kernels/families.h"
#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/isa_choice.h"
#include "autodiff/kernels/map_op.h"
#include "support/check.h"

namespace fermiac::ad {
namespace {

Isa best_supported() {
#if defined(__x86_64__) && !defined(FERMIAC_BASELINE_ONLY)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Isa::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::Avx2;
#endif
  return Isa{};
}

#define FERMIAC_NAME(name, unused) #name,
constexpr std::string_view kNames[] = {FERMIAC_FOR_ISAS(FERMIAC_NAME, 0)};
#undef FERMIAC_NAME

/// FERMIAC_ISA lowers the level; asking for more than the processor has gives what it has.
Isa choose() {
  const Isa best = best_supported();
  const char* forced = std::getenv("FERMIAC_ISA");
  if (forced == nullptr) return best;
  const auto at = std::find(std::begin(kNames), std::end(kNames), forced);
  return at == std::end(kNames) ? best : std::min(best, static_cast<Isa>(at - kNames));
}

struct Table {
  std::vector<MapOp> ops;
  std::vector<LaneForms> lanes;
  std::unordered_map<std::string_view, MapCode> codes;

  Table() {
#define FERMIAC_ADD(family) add(FERMIAC_FOR_ACTIVE_ISA(family), FERMIAC_FOR_ACTIVE_ISA(family##_lanes), FERMIAC_FOR_ACTIVE_ISA(family##_size));
    FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
    using namespace scalar;
#define FERMIAC_ADD(family) add(family, family##_lanes, family##_size);
    FERMIAC_SCALAR_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
  }

  void add(const MapOp* first, const LaneForms* forms, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      FERMIAC_CHECK(codes.try_emplace(first[i].name, static_cast<MapCode>(ops.size())).second, "two maps share a name");
      ops.push_back(first[i]);
      lanes.push_back(forms[i]);
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

Isa active_isa() {
  static const Isa isa = choose();
  return isa;
}

std::string_view isa_name(Isa isa) {
  return kNames[static_cast<int>(isa)];
}

std::span<const std::string_view> isa_names() {
  return {kNames, static_cast<std::size_t>(active_isa()) + 1};
}

std::string unknown_isa() {
  constexpr std::string_view kOfOtherBuilds[] = {"sse2", "avx2", "avx512"};  // which a build may leave out: it uses what it has
  const auto is_in = [](const auto& names, std::string_view name) { return std::find(std::begin(names), std::end(names), name) != std::end(names); };
  const char* forced = std::getenv("FERMIAC_ISA");
  if (forced == nullptr || *forced == '\0' || is_in(kNames, forced) || is_in(kOfOtherBuilds, forced)) return {};
  return fmt::format("FERMIAC_ISA is '{}' in the environment, which is none of {} and portable", forced, fmt::join(kNames, ", "));
}

MapCode find_map(std::string_view name) {
  const auto it = table().codes.find(name);
  return it == table().codes.end() ? kNoMap : it->second;
}

const MapOp& map_op(MapCode code) {
  return table().ops[index_of(code)];
}

const LaneForms& lane_forms(MapCode code) {
  return table().lanes[index_of(code)];
}

std::span<const MapOp> all_maps() {
  return table().ops;
}

}  // namespace fermiac::ad
