// From instructions to pages that can be called. Include only from .cpp files that make machine code.
#pragma once

#include <asmjit/core.h>

#include <string_view>

#include "support/platform/code_pages.h"

namespace fermiac::jit {

/// Collects what an emitter of asmjit writes: an Assembler or a Compiler.
template <class Emitter>
class Buffer final : private asmjit::ErrorHandler {
 public:
  /// `logger`, if any, receives the instructions as text.
  explicit Buffer(asmjit::Logger* logger = nullptr) {
    failed_ = holder_.init(asmjit::Environment::host()) != asmjit::kErrorOk;
    holder_.setErrorHandler(this);
    if (logger) holder_.setLogger(logger);
    failed_ |= holder_.attach(&emitter_) != asmjit::kErrorOk;
  }
  Emitter& emitter() { return emitter_; }
  /// The code on pages of its own, named for profilers unless the label is empty; empty if asmjit or the system refuses.
  CodePages pages(std::string_view label) {
    if (failed_ || emitter_.finalize() != asmjit::kErrorOk || failed_) return {};
    if (holder_.flatten() != asmjit::kErrorOk || holder_.resolveUnresolvedLinks() != asmjit::kErrorOk) return {};
    CodePages pages(size());
    if (!pages) return {};
    const auto bytes = pages.bytes();
    if (holder_.relocateToBase(reinterpret_cast<std::uintptr_t>(bytes.data())) != asmjit::kErrorOk) return {};
    if (holder_.copyFlattenedData(bytes.data(), bytes.size()) != asmjit::kErrorOk || !pages.seal()) return {};
    if (!label.empty()) name_for_perf(bytes.data(), size(), label);
    return pages;
  }
  /// Bytes of code, after pages().
  std::size_t size() const { return holder_.codeSize(); }
  /// Where a label is in the pages, after pages().
  std::size_t offset(const asmjit::Label& label) const { return holder_.labelOffset(label); }

 private:
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed_ = true; }

  asmjit::CodeHolder holder_;
  Emitter emitter_;
  bool failed_ = false;
};

}  // namespace fermiac::jit
