// The machine that code is made for. Include only from .cpp files that make machine code.
#pragma once

#if defined(__aarch64__)
#include "jit/machine_a64.h"
#else
#include "jit/machine_x86.h"
#endif
