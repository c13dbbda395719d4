// Locks on open files and folders, between processes. They end with the descriptor, or with the process.
#pragma once

#include <cstdint>

#include "support/platform/descriptor.h"

namespace fermiac {

enum class Lock : std::uint8_t { Alone, Shared };

/// Takes the lock, or changes one that is held already. False where another process has a lock that excludes it. A file
/// system that knows no locks refuses nobody.
bool try_lock(const Descriptor& file, Lock lock);
/// The same, but waits for the other process.
void wait_for_lock(const Descriptor& file, Lock lock);

}  // namespace fermiac
