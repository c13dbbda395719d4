// From asmjit's buffers to pages that can be called. Include only from .cpp files that make machine code.
#pragma once

#include <asmjit/core.h>

#include "support/platform/code_pages.h"

namespace fermiac::jit {

/// asmjit reports here what it cannot do; the code is dropped then.
class AsmjitErrors final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
  bool any = false;
};

/// Copies the code to pages of its own, where it stays; empty where the system refuses.
inline CodePages placed(asmjit::CodeHolder& holder) {
  if (holder.flatten() != asmjit::kErrorOk || holder.resolveUnresolvedLinks() != asmjit::kErrorOk) return {};
  CodePages pages(holder.codeSize());
  if (!pages) return {};
  const auto bytes = pages.bytes();
  if (holder.relocateToBase(reinterpret_cast<std::uintptr_t>(bytes.data())) != asmjit::kErrorOk) return {};
  if (holder.copyFlattenedData(bytes.data(), bytes.size()) != asmjit::kErrorOk) return {};
  return pages.seal() ? std::move(pages) : CodePages();
}

}  // namespace fermiac::jit
