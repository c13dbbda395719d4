// Instructions of the processor as functions, where the compiler has them: _mm_… and their kin on x86, those of Neon on ARM.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
