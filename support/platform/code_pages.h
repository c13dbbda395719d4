// Pages of machine code: written first, executed afterwards, never both at once. Names of such code for profilers.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace fermiac::jit {

/// Owns pages. Code in them must not run once this is gone.
class CodePages {
 public:
  CodePages() = default;
  /// Writable pages for so many bytes; empty where the system has none.
  explicit CodePages(std::size_t bytes);
  CodePages(CodePages&& other) noexcept;
  CodePages& operator=(CodePages&& other) noexcept;
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;
  ~CodePages();

  explicit operator bool() const { return at_ != nullptr; }
  std::span<unsigned char> bytes() const { return {at_, size_}; }
  /// Executable and no longer writable from now on; false where the system refuses.
  bool seal();

 private:
  unsigned char* at_ = nullptr;
  std::size_t size_ = 0;
};

/// Adds a line to the file if FERMIAC_PERF_MAP is set to anything; a file that cannot be written is no error.
void name_for_perf(const void* code, std::size_t bytes, std::string_view label);

}  // namespace fermiac::jit
