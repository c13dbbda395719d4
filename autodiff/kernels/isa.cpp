// Chooses the instruction set once and builds the table of maps for it.
#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autodiff/kernels/families.h"
#include "autodiff/kernels/map_op.h"
#include "support/check.h"

namespace fermiac::ad {
namespace {

Isa best_supported() {
#if defined(FERMIAC_HAVE_ISA_avx512)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Isa::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::Avx2;
#endif
  return Isa::Sse2;
}

/// FERMIAC_ISA lowers the level; asking for more than the processor has gives what it has.
Isa choose() {
  const Isa best = best_supported();
  const char* forced = std::getenv("FERMIAC_ISA");
  if (forced == nullptr) return best;
  for (const Isa isa : {Isa::Sse2, Isa::Avx2, Isa::Avx512})
    if (isa_name(isa) == forced) return isa < best ? isa : best;
  return best;
}

struct Table {
  std::vector<MapOp> ops;
  std::unordered_map<std::string_view, MapCode> codes;

  Table() {
#define FERMIAC_ADD(family) add(family, family##_size);
    switch (active_isa()) {
#if defined(FERMIAC_HAVE_ISA_avx512)
      case Isa::Avx512: {
        using namespace isa_avx512;
        FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
        break;
      }
      case Isa::Avx2: {
        using namespace isa_avx2;
        FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
        break;
      }
#endif
      default: {
        using namespace isa_sse2;
        FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
        break;
      }
    }
    using namespace scalar;
    FERMIAC_SCALAR_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
  }

  void add(const MapOp* first, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      FERMIAC_CHECK(codes.try_emplace(first[i].name, static_cast<MapCode>(ops.size())).second, "two maps share a name");
      ops.push_back(first[i]);
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
  static constexpr std::string_view kNames[] = {"sse2", "avx2", "avx512"};
  return kNames[static_cast<int>(isa)];
}

MapCode find_map(std::string_view name) {
  const auto it = table().codes.find(name);
  return it == table().codes.end() ? kNoMap : it->second;
}

const MapOp& map_op(MapCode code) {
  return table().ops[code];
}

std::span<const MapOp> all_maps() {
  return table().ops;
}

}  // namespace fermiac::ad
