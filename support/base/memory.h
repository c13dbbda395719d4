// The limit on memory: values, recordings and work space ask before they take much of it, so that a size that is too
// large is an error of the program that asked for it, and not the end of the process or of the machine.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

#include "support/base/errors.h"

namespace fermiac::ad {

/// More memory was asked for than the limit allows, or than the system gives. No other point can mend it.
struct MemoryError : FatalError {
  using FatalError::FatalError;
};

/// While it lives, this thread takes no large piece of memory that would bring the process above `limit` bytes (0: any).
/// Scopes nest.
class MemoryScope {
 public:
  explicit MemoryScope(std::size_t limit);
  ~MemoryScope();
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;

 private:
  std::size_t before_;
};

/// The limit that holds on this thread; 0: none.
std::size_t memory_limit();

/// Pieces of less than this are not asked about.
inline constexpr std::size_t kLargeMemory = std::size_t{1} << 20;
void large_memory_point(std::size_t bytes);
/// Before `bytes` are allocated. Throws MemoryError where they are too many.
inline void memory_point(std::size_t bytes) {
  if (bytes >= kLargeMemory) [[unlikely]] large_memory_point(bytes);
}

/// From now on a small piece of memory is kept back, and given up when an allocation fails: the message about that needs
/// some. For programs that let the system limit their memory.
void keep_memory_reserve();
/// Takes it again, if it was given up.
void renew_memory_reserve();

/// body(), with what the standard library throws when there is no memory as a MemoryError.
template <class Body>
void with_memory_errors(Body body) {
  renew_memory_reserve();
  try {
    body();
  } catch (const std::bad_alloc&) {
    throw MemoryError("out of memory");
  } catch (const std::length_error&) {
    throw MemoryError("out of memory");
  }
}

/// `1.5 GB`, for messages.
std::string memory_text(std::size_t bytes);

}  // namespace fermiac::ad
