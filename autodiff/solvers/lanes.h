// The directions of the machine that code is made for. Include only from .cpp files that make machine code.
#pragma once

#if defined(__aarch64__)
#include "autodiff/solvers/lanes_a64.h"
#else
#include "autodiff/solvers/lanes_x86.h"
#endif
