// The table of all maps for the instruction set in use.
#include "autodiff/kernels/families.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_arity.h"
#include "autodiff/kernels/map_op.h"
#include "support/base/check.h"

namespace fermiac::ad {
namespace {

struct Table {
  std::vector<MapOp> ops;
  std::unordered_map<std::string_view, MapCode> codes;

  Table() {
#define FERMIAC_ADD(family) add(FERMIAC_FOR_ACTIVE_ISA(family), FERMIAC_FOR_ACTIVE_ISA(family##_size));
    FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
    using namespace scalar;
#define FERMIAC_ADD(family) add(family, family##_size);
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

MapCode find_map(std::string_view name) {
  const auto it = table().codes.find(name);
  return it == table().codes.end() ? kNoMap : it->second;
}

const MapOp& map_op(MapCode code) {
  return table().ops[index_of(code)];
}

namespace detail {

constinit std::atomic<const std::uint8_t*> map_arities{nullptr};

const std::uint8_t* make_map_arities() {
  static const std::vector<std::uint8_t> all = [] {
    std::vector<std::uint8_t> out;
    for (const MapOp& op : table().ops) out.push_back(op.arity);
    return out;
  }();
  map_arities.store(all.data(), std::memory_order_release);
  return all.data();
}

}  // namespace detail

std::span<const MapOp> all_maps() {
  return table().ops;
}

}  // namespace fermiac::ad
