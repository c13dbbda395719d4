// Independent pieces of work (chains, paths, columns) on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace fermiac::inference {

/// What a number of threads means: 0 is as many as the machine has.
unsigned resolved_threads(unsigned threads);

/// Runs body(0) … body(n - 1) on at most `threads` threads (0: as many as the machine has). A piece that runs parallel
/// work of its own never starts another piece while it waits.
void run_parallel(unsigned threads, std::size_t n, const std::function<void(std::size_t)>& body);

}  // namespace fermiac::inference
