// A hash of the path that a program took: of what its branches on parameters decided, in order. A run without a tape
// adds outcomes alone, for they determine what is asked next. A recording adds which guard it is too: a branch may
// leave a guard in one recording, a select in another (Recorder::select). So the two kinds of paths are never compared.
#pragma once

#include <cstdint>

namespace fermiac::ad {

class PathHash {
 public:
  void add(std::uint64_t decision) { hash_ = (hash_ ^ decision) * 0x100000001b3ULL; }  // FNV-1a, a word at a time
  std::uint64_t value() const { return hash_; }
  /// For machine code, which adds by itself.
  std::uint64_t* place() { return &hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace fermiac::ad
