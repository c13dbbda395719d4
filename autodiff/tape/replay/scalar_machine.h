// The machine that code is made for. Include only from .cpp files that make machine code.
#pragma once

#if defined(__aarch64__)
#include "autodiff/tape/replay/scalar_a64.h"
#else
#include "autodiff/tape/replay/scalar_x86.h"
#endif
