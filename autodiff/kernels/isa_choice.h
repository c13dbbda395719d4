// What the environment says about the instruction set, for programs to tell; without a program a wrong choice is no choice.
#pragma once

#include <string>

namespace fermiac::ad {

/// Empty, or that FERMIAC_ISA is none of the instruction sets that there are kernels for. (Programs take "portable", too: they begin
/// anew with another choice, cli/fermiac/portable.h.)
std::string unknown_isa();

}  // namespace fermiac::ad
