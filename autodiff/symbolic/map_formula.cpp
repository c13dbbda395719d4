#include "autodiff/symbolic/map_formula.h"

#include <cstddef>
#include <unordered_map>

#include "autodiff/kernels/families.h"

namespace fermiac::ad {

namespace isa_formulas {
#define FERMIAC_DECLARE(family)                     \
  extern const symbols::MapFormula family[];        \
  extern const std::size_t family##_size;
FERMIAC_MAP_FAMILIES(FERMIAC_DECLARE)
#undef FERMIAC_DECLARE
}  // namespace isa_formulas

namespace symbols {
namespace {

struct Table {
  std::vector<const MapFormula*> all;
  std::unordered_map<std::string_view, const MapFormula*> by_name;

  Table() {
#define FERMIAC_ADD(family) add({isa_formulas::family, isa_formulas::family##_size});
    FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
  }
  void add(std::span<const MapFormula> family) {
    for (const MapFormula& f : family)
      if (!f.name.empty() && by_name.try_emplace(f.name, &f).second) all.push_back(&f);
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const MapFormula* find_formula(std::string_view map) {
  const auto at = table().by_name.find(map);
  return at == table().by_name.end() ? nullptr : at->second;
}

std::span<const MapFormula* const> all_formulas() { return table().all; }

}  // namespace symbols
}  // namespace fermiac::ad
