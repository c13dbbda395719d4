// Chooses among the copies of a function that *.isa.cpp files define, one per instruction set.
#pragma once

#include "autodiff/kernels/map_op.h"

/// Declares, in namespace fermiac::ad, the copies of a table that a *.isa.cpp file defines.
#define FERMIAC_DECLARE_FOR_ISAS(declaration) \
  namespace isa_sse2 {                        \
  declaration;                                \
  }                                           \
  namespace isa_avx2 {                        \
  declaration;                                \
  }                                           \
  namespace isa_avx512 {                      \
  declaration;                                \
  }

#if defined(FERMIAC_HAVE_ISA_avx512)
#define FERMIAC_FOR_ACTIVE_ISA(f)                                      \
  (::fermiac::ad::active_isa() == ::fermiac::ad::Isa::Avx512 ? isa_avx512::f \
   : ::fermiac::ad::active_isa() == ::fermiac::ad::Isa::Avx2 ? isa_avx2::f   \
                                                             : isa_sse2::f)
#else
#define FERMIAC_FOR_ACTIVE_ISA(f) isa_sse2::f
#endif
