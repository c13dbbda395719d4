// Bodies of functions that a program declares and a user's header in C++ defines, in the machine code of the program.
#pragma once

#include "codegen/runtime/native.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/node.h"

namespace fermiac::interp {

/// Reads the arguments of the call from the frame and leaves the result there. Where derivatives are recorded the call is one
/// operation on the tape, which the header's function evaluates forward and, over its own kind of number, backwards. Both
/// functions outlive the node.
StmtPtr make_external_body(const FunctionCode& function, const native::ExternalFunction& external);

}  // namespace fermiac::interp
