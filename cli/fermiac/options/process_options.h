// Options that change the whole process: --max-memory and --portable.
#pragma once

#include <cstddef>

#include "support/base/status.h"

namespace CLI {
class App;
}

namespace fermiac::cli {

/// Adds the option to a command that evaluates something. The value is in bytes; the suffixes k, M and G mean kB, MB and GB. The
/// default is ad::default_memory_limit().
void add_memory_option(CLI::App& command, std::size_t& limit);

/// The system refuses this process any memory beyond the limit: what is too small to be asked about (ad::memory_point)
/// adds up to an error, too.
void limit_process_memory(std::size_t limit);

// --portable: the same numbers on every x86-64 machine with this C library.

/// Results depend on the instructions that compute them in two places: our own kernels add in as many parts as a vector has
/// lanes, and the C library has variants of exp, log, sin, pow … that round differently where fused multiply-add is there.
/// Both are chosen once, when a program starts; so this starts it anew with the same arguments, told to choose the plain ones
/// (FERMIAC_ISA, GLIBC_TUNABLES). It returns if that is so already, or cannot be.
Status become_portable();

/// FERMIAC_ISA is "portable": for commands that take no model, and for all commands of a session.
bool asks_for_portable();

}  // namespace fermiac::cli
