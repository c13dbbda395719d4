#include "inference/vector_kernels.h"

#include "support/check.h"
#include "support/isa.h"

namespace fermiac::inference {

// One for each name of support/isa.cpp, in its order.
#if defined(__x86_64__) && defined(FERMIAC_BASELINE_ONLY)
#define FERMIAC_FOR_LEVELS(X) X(sse2)
#elif defined(__x86_64__)
#define FERMIAC_FOR_LEVELS(X) X(sse2) X(avx2) X(avx512)
#elif defined(__aarch64__)
#define FERMIAC_FOR_LEVELS(X) X(neon)
#else
#define FERMIAC_FOR_LEVELS(X) X(generic)
#endif

#define FERMIAC_DECLARE(name)                   \
  namespace isa_##name {                        \
  extern const VectorKernels kVectorKernels;    \
  }
FERMIAC_FOR_LEVELS(FERMIAC_DECLARE)
#undef FERMIAC_DECLARE

std::span<const VectorKernels* const> all_vector_kernels() {
#define FERMIAC_ADDRESS(name) &isa_##name::kVectorKernels,
  static constexpr const VectorKernels* kAll[] = {FERMIAC_FOR_LEVELS(FERMIAC_ADDRESS)};
#undef FERMIAC_ADDRESS
  return kAll;
}

const VectorKernels& vector_kernels() {
  static const VectorKernels& kernels = [&]() -> const VectorKernels& {
    FERMIAC_CHECK(all_vector_kernels().size() == isas_of_build().size(), "there are kernels for other instruction sets than have names");
    return *all_vector_kernels()[active_isa_place()];
  }();
  return kernels;
}

}  // namespace fermiac::inference
