// Maps as formulas: what a functor of kernels/driver.h gives on Symbols, in place of the loops over lanes.
#pragma once

#include <span>
#include <string_view>

#include "autodiff/kernels/map_op.h"
#include "autodiff/symbolic/symbol.h"

namespace fermiac::ad::symbols {

/// Numbers that a map takes from some of its operands and shares between elements (driver.h, pre).
inline constexpr int kMaxShared = 8;

/// The rows of MapOp in symbols. x, d and shared as in driver.h; they throw NoFormula.
struct MapFormula {
  std::string_view name;
  int arity = 1;
  bool density = false;
  int shared = 0;                        // how many shared quantities there are
  unsigned shared_of[kMaxShared] = {};   // the operands that each depends on

  Symbol (*value)(const Symbol* x, const Symbol* shared, Keep keep) = nullptr;
  /// Value, and d[j] = g times the partial by operand j.
  Symbol (*fused)(const Symbol* x, const Symbol* shared, const Symbol& g, Symbol* d, Keep keep) = nullptr;
  /// The partials where the value is at hand.
  void (*partials)(const Symbol* x, const Symbol* shared, const Symbol& value, const Symbol& g, Symbol* d, Keep keep) = nullptr;
  /// Every domain rule holds.
  Truth (*holds)(const Symbol* x) = nullptr;
  /// Shared quantity i, from numbers and in symbols.
  double (*share_numbers)(int i, const double* x, Keep keep) = nullptr;
  Symbol (*share)(int i, const Symbol* x, Keep keep) = nullptr;
};

/// Null where the map has none.
const MapFormula* find_formula(std::string_view map);
std::span<const MapFormula* const> all_formulas();

}  // namespace fermiac::ad::symbols
