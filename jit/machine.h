// The machine that code is made for.
#pragma once

#if defined(__aarch64__)
#include "jit/machine_a64.h"
#else
#include "jit/machine_x86.h"
#endif
