// The option --max-memory.
#pragma once

#include <cstddef>

namespace CLI {
class App;
}

namespace fermiac::cli {

/// Adds the option to a command that evaluates something: a number of bytes, or of kB, MB, GB with k, M, G behind it. Without it
/// ad::default_memory_limit() holds.
void add_memory_option(CLI::App& command, std::size_t& limit);

/// The system refuses this process any memory beyond the limit: what is too small to be asked about (ad::memory_point)
/// adds up to an error, too.
void limit_process_memory(std::size_t limit);

}  // namespace fermiac::cli
