// The functions of the embedded Laplace approximation.
#pragma once

#include <algorithm>
#include <iterator>

#include "frontend/builtins/builtin.h"

namespace fermiac {

enum class LaplaceResult : std::uint8_t { Density, Draw, Moments };
/// User: a function of the program, and a tuple of its arguments; the others are built in and take plain arguments.
enum class LaplaceLikelihood : std::uint8_t { User, BernoulliLogit, PoissonLog, NegBinomial2Log };

struct LaplaceRow {
  Builtin fn;
  LaplaceResult result;
  LaplaceLikelihood likelihood;
  bool control;  // takes a tuple of tolerances
  std::string_view name() const { return name_of(fn); }
};
inline constexpr LaplaceRow kLaplaceRows[] = {
#define LAPLACE(name, result, likelihood, control) {Builtin::name, LaplaceResult::result, LaplaceLikelihood::likelihood, control},
#include "frontend/builtins/special_forms.def"
};

/// Null for other functions.
inline const LaplaceRow* find_laplace(Builtin fn) {
  const auto* row = std::ranges::find(kLaplaceRows, fn, &LaplaceRow::fn);
  return row == std::end(kLaplaceRows) ? nullptr : row;
}

}  // namespace fermiac
