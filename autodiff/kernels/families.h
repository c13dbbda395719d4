// The families of maps: every *.isa.cpp exports its table, once per instruction set. Add a row here for a new file.
#pragma once

#include <cstddef>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"

// FERMIAC_MAP_FAMILIES(X): X(name) per file `name`.isa.cpp exporting `extern const MapOp name[]` and `name##_size`.
#define FERMIAC_MAP_FAMILIES(X) \
  X(arithmetic)                 \
  X(bounds)                     \
  X(elementary)                 \
  X(normal_family)              \
  X(location_family)            \
  X(extreme_family)             \
  X(positive_family)            \
  X(interval_family)            \
  X(discrete_family)

// FERMIAC_SCALAR_FAMILIES(X): the same for plain files of scalar maps (scalar_driver.h), compiled once.
#define FERMIAC_SCALAR_FAMILIES(X) \
  X(special_functions)                 \
  X(scalar_laws)

namespace fermiac::ad {

#define FERMIAC_DECLARE(family) \
  extern const MapOp family[];  \
  extern const std::size_t family##_size;
FERMIAC_DECLARE_FOR_ISAS(FERMIAC_MAP_FAMILIES(FERMIAC_DECLARE))
namespace scalar {
FERMIAC_SCALAR_FAMILIES(FERMIAC_DECLARE)
}
#undef FERMIAC_DECLARE

}  // namespace fermiac::ad

/// At the end of a family's file: exports its table.
#define FERMIAC_EXPORT_FAMILY(family, ...)        \
  extern const MapOp family[];                    \
  extern const std::size_t family##_size;         \
  constinit const MapOp family[] = {__VA_ARGS__}; \
  constinit const std::size_t family##_size = sizeof(family) / sizeof(family[0]);
