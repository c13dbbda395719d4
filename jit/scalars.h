// The arithmetic of the machine that code is made for.
#pragma once

#if defined(__aarch64__)
#include "jit/scalars_a64.h"
#else
#include "jit/scalars_x86.h"
#endif
