// Memory that this process has taken, and how much more the system has.
#pragma once

#include <cstddef>

namespace fermiac::ad {

/// Bytes that this process has taken for itself: without its program and the files that it has mapped.
std::size_t memory_in_use();
/// A limit where nobody has set one: 80 % of what the machine, and the groups that this process belongs to, have free, and what is
/// in use already; 0 where the system does not say. Takes some 50 µs.
std::size_t default_memory_limit();
/// The most that this process has had in memory at once, its program included, in KiB.
std::size_t peak_memory_kib();
/// The data of this process take no more from now on: allocations fail. False where the system has no such limit.
bool limit_data(std::size_t bytes);

}  // namespace fermiac::ad
