// Values and slopes of maps at corners against tests/golden/map_corners.txt, in scalar and vector forms.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "tests/shared/corner_table.h"

namespace fermiac::ad {
namespace {

using testing::MapCorner;
using testing::expect_as_in_table;

TEST(MapCorners, ScalarForms) {
  for (const MapCorner& c : testing::map_corners()) {
    double d[kMaxMapArity]{};
    expect_as_in_table(map_op(find_map(c.map)).value_and_partials(c.x.data(), Keep::everything(), d), c.value, c.name());
    for (std::size_t j = 0; j < c.x.size(); ++j) expect_as_in_table(d[j], c.slopes[j], c.name() + " slope");
  }
}

void check_vectors(const MapCorner& c, unsigned mask) {
  const MapOp& op = map_op(find_map(c.map));
  constexpr std::uint32_t kN = 13;
  std::vector<std::vector<double>> x(c.x.size(), std::vector<double>(24)), a(c.x.size(), std::vector<double>(24));
  std::vector<double> out(24), out_a(24, 1.0);
  MapArgs m;
  m.n = kN;
  m.vector_mask = static_cast<std::uint16_t>(mask);
  m.out = out.data(), m.out_a = out_a.data();
  for (std::size_t j = 0; j < c.x.size(); ++j) {
    std::fill(x[j].begin(), x[j].end(), c.x[j]);
    m.x[j] = x[j].data(), m.a[j] = a[j].data();
  }
  ASSERT_TRUE(op.map(m));
  op.map_reverse(m);
  const std::string where = fmt::format("{} mask {}", c.name(), mask);
  for (std::uint32_t i = 0; i < kN; ++i) expect_as_in_table(out[i], c.value, where);
  for (std::size_t j = 0; j < c.x.size(); ++j) expect_as_in_table(a[j][0], c.slopes[j] * (mask >> j & 1u ? 1 : kN), where + " slope");
}

TEST(MapCorners, VectorForms) {
  for (const MapCorner& c : testing::map_corners())
    for (unsigned mask = 1; mask < 1u << c.x.size(); ++mask) check_vectors(c, mask);
}

}  // namespace
}  // namespace fermiac::ad
