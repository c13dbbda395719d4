// What a program asks of a device: `@gpu` before the declarations of variables and functions.
#pragma once

#include <vector>

#include "interp/exec/runs/code.h"
#include "mir/ir/ir.h"

namespace fermiac::interp {

/// By site: statements of the log density that assign or read a variable declared @gpu, and those of functions declared so. Empty
/// where there are none.
std::vector<bool> device_sites(const mir::Program& program, const Code& code);

}  // namespace fermiac::interp
