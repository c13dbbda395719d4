// Maps on a device against the loops of the processor, at numbers drawn from their domains.
#pragma once

#include "autodiff/symbolic/map_formula.h"
#include "support/base/rng.h"
#include "tests/unit/autodiff/device_program.h"

namespace fermiac::ad {

inline constexpr std::uint32_t kElements = 21;  // a tail for every number of lanes

inline bool is_count(std::string_view name) { return name.ends_with("_lpmf") || name == "binary_log_loss"; }
/// Whole numbers, by name of the map.
inline unsigned int_operands(std::string_view name) {
  if (!is_count(name)) return 0;
  return name.starts_with("beta_binomial") || name.starts_with("binomial") ? 0b11 : name.starts_with("categorical") ? 0 : 1;
}

/// Operands at which every rule holds and the map is a finite number.
inline bool draw_operands(const MapOp& op, Rng& rng, double* x) {
  const unsigned ints = int_operands(op.name);
  for (int attempt = 0; attempt < 5000; ++attempt) {
    for (int j = 0; j < op.arity; ++j) {
      if (ints >> j & 1u) x[j] = std::floor(6 * rng.uniform());
      else if (attempt % 3 == 0) x[j] = rng.uniform();
      else if (attempt % 3 == 1) x[j] = 4 * rng.uniform() + 0.05;
      else x[j] = 3 * rng.normal();
    }
    double d[kMaxMapArity];
    if (op.valid(x) && std::isfinite(op.value_and_partials(x, Keep::everything(), d))) return true;
  }
  return false;
}

/// The map over a column for each operand, or with all but the first as scalars; times a parameter, so that its derivative is the sum.
class MapProgram {
 public:
  MapProgram(Program& p, const MapOp& op, bool scalars, Rng& rng) : op_(op) {
    double x[kMaxMapArity]{}, same[kMaxMapArity]{};
    found_ = draw_operands(op, rng, same);
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(op.arity));
    for (std::uint32_t i = 0; i < kElements && found_; ++i) {
      for (int tries = 0; tries < 1000; ++tries) {
        if (!draw_operands(op, rng, x)) break;
        if (scalars) std::copy(same + 1, same + op.arity, x + 1);
        double d[kMaxMapArity];
        if (op.valid(x) && std::isfinite(op.value_and_partials(x, Keep::everything(), d))) break;
        std::copy_n(same, op.arity, x);
      }
      for (int j = 0; j < op.arity; ++j) columns[static_cast<std::size_t>(j)].push_back(x[j]);
    }
    if (!found_) return;
    for (int j = 0; j < op.arity; ++j) add(p, columns[static_cast<std::size_t>(j)], int_operands(op.name) >> j & 1u, scalars && j > 0);
    factor_ = p.theta.size();
    p.theta.push_back(0.7);
    p.names.push_back(std::string(op.name) + (scalars ? " of scalars" : " of columns") + ", its sum");
  }
  bool found() const { return found_; }

  void record(Recorder& r) const {
    std::vector<Operand> x;
    for (const Column& c : columns_) {
      const Ref ref = !c.data ? Ref::slot(static_cast<std::uint32_t>(c.place)) : c.scalar ? r.constant(c.numbers[0]) : r.constant_block(c.numbers.data(), kElements);
      x.push_back({.ref = ref, .vector = !c.scalar, .autodiff = !c.data});
    }
    const Ref values = r.map_vector(find_map(op_.name), x, kElements);
    const Operand product[] = {{.ref = values, .vector = true, .autodiff = true}, {.ref = Ref::slot(static_cast<std::uint32_t>(factor_)), .vector = false, .autodiff = true}};
    r.target(r.map_vector(find_map("multiply"), product, kElements), kElements);
    if (op_.density) r.sink(find_map(op_.name), x, kElements);
  }

 private:
  struct Column {
    std::vector<double> numbers;
    bool data = false, scalar = false;
    std::size_t place = 0;
  };
  /// Blocks of parameters begin anywhere.
  void add(Program& p, const std::vector<double>& numbers, bool data, bool scalar) {
    columns_.push_back({numbers, data, scalar, p.theta.size()});
    if (data) return;
    const std::size_t n = scalar ? 1 : numbers.size();
    p.theta.insert(p.theta.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
    p.names.insert(p.names.end(), n, std::string(op_.name) + (scalar ? " of a scalar" : "") + ", operand " + std::to_string(columns_.size()));
  }

  const MapOp& op_;
  std::size_t factor_ = 0;
  bool found_ = false;
  std::vector<Column> columns_;
};

/// Maps by number, in one program: that takes less time than a program for each.
template <class Takes>
void expect_maps_agree(const std::shared_ptr<DeviceUse>& use, Takes takes) {
  Program p;
  Rng rng(7);
  std::vector<MapProgram> maps;
  for (const symbols::MapFormula* f : symbols::all_formulas()) {
    const MapOp& op = map_op(find_map(f->name));
    if (op.flat || !takes(op.name)) continue;
    for (const bool scalars : {false, true}) {
      if (scalars && op.arity == 1) continue;
      maps.emplace_back(p, op, scalars, rng);
      EXPECT_TRUE(maps.back().found()) << op.name;
    }
  }
  ASSERT_FALSE(maps.empty());
  p.body = [&](Recorder& r) {
    for (const MapProgram& m : maps) m.record(r);
  };
  expect_same(p, use, maps.size());
}

}  // namespace fermiac::ad
