#include "support/platform/code_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

/// What asmjit's archive has in place of `stderr` (fermiac_position_independent_asmjit in cmake/fermiac.cmake): where its assertions go.
extern "C" {
extern __attribute__((visibility("hidden"))) std::FILE* fermiac_asmjit_stderr;
std::FILE* fermiac_asmjit_stderr = stderr;
}

namespace fermiac::jit {
namespace {

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

CodePages::CodePages(std::size_t bytes) : size_(whole_pages(bytes)) {
  void* const at = size_ == 0 ? MAP_FAILED : mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) size_ = 0;
  else at_ = static_cast<unsigned char*>(at);
}

CodePages::CodePages(CodePages&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), size_(std::exchange(other.size_, 0)) {}

CodePages& CodePages::operator=(CodePages&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(size_, other.size_);
  return *this;
}

CodePages::~CodePages() {
  if (at_) munmap(at_, size_);
}

bool CodePages::seal() {
  // Of instructions: Arm does not see by itself what was written.
  __builtin___clear_cache(reinterpret_cast<char*>(at_), reinterpret_cast<char*>(at_) + size_);
  return mprotect(at_, size_, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace fermiac::jit
