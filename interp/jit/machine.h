// The machine that code is made for.
#pragma once

#if defined(__aarch64__)
#include "interp/jit/machine_a64.h"
#else
#include "interp/jit/machine_x86.h"
#endif
