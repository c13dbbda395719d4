// Numbers that begin where a line of the cache does: what is read in vectors then lies in as few lines as can be, and takes the
// same time wherever the allocator had room.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fermiac {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(n * sizeof(T), kLine));
  }
  void deallocate(T* at, std::size_t) { ::operator delete(at, kLine); }
  bool operator==(const LineAllocator&) const = default;
};

using AlignedNumbers = std::vector<double, LineAllocator<double>>;

}  // namespace fermiac
