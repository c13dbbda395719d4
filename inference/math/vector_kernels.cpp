#include "inference/math/vector_kernels.h"

#include "support/platform/isa.h"

namespace fermiac::inference {

#define FERMIAC_DECLARE(name, unused)           \
  namespace isa_##name {                        \
  extern const VectorKernels kVectorKernels;    \
  }
FERMIAC_FOR_ISAS(FERMIAC_DECLARE, 0)
#undef FERMIAC_DECLARE

std::span<const VectorKernels* const> all_vector_kernels() {
#define FERMIAC_ADDRESS(name, unused) &isa_##name::kVectorKernels,
  static constexpr const VectorKernels* kAll[] = {FERMIAC_FOR_ISAS(FERMIAC_ADDRESS, 0)};
#undef FERMIAC_ADDRESS
  return kAll;
}

const VectorKernels& vector_kernels() {
  static const VectorKernels& kernels = *all_vector_kernels()[active_isa_place()];
  return kernels;
}

}  // namespace fermiac::inference
