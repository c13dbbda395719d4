// From three-address code to pages that can be called.
#include "interp/jit/emit.h"

#if defined(FERMIAC_JIT) && defined(__x86_64__)

#include <memory>

#include "interp/jit/emit_traced.h"

namespace fermiac::jit {
namespace {

/// asmjit reports here what it cannot do; the code is dropped then.
class Errors final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
  bool any = false;
};

/// Copies the code to pages of its own, where it stays.
bool place(asmjit::CodeHolder& holder, MachineCode& out) {
  if (holder.flatten() != asmjit::kErrorOk || holder.resolveUnresolvedLinks() != asmjit::kErrorOk) return false;
  out.pages = CodePages(holder.codeSize());
  if (!out.pages) return false;
  const auto bytes = out.pages.bytes();
  if (holder.relocateToBase(reinterpret_cast<std::uintptr_t>(bytes.data())) != asmjit::kErrorOk) return false;
  if (holder.copyFlattenedData(bytes.data(), bytes.size()) != asmjit::kErrorOk) return false;
  out.size = holder.codeSize();
  out.entry = reinterpret_cast<Entry>(bytes.data());
  return out.pages.seal();
}

}  // namespace

bool has_machine_code() {
  return true;
}

std::optional<MachineCode> emit(const Code& code, const Helpers& helpers, bool traced, std::string* listing) {
  MachineCode out;
  Errors errors;
  asmjit::StringLogger text;
  asmjit::CodeHolder holder;
  if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk) return std::nullopt;
  holder.setErrorHandler(&errors);
  if (listing) holder.setLogger(&text);
  const std::unique_ptr<Emitter> emitter = traced ? std::make_unique<TracedEmitter>(code, helpers, holder, out) : std::make_unique<Emitter>(code, helpers, holder, out);
  emitter->run();
  if (errors.any || emitter->finish() != asmjit::kErrorOk || errors.any || !place(holder, out)) return std::nullopt;
  if (listing) *listing = text.data();
  return out;
}

}  // namespace fermiac::jit

#else

namespace fermiac::jit {

bool has_machine_code() {
  return false;
}

std::optional<MachineCode> emit(const Code&, const Helpers&, bool, std::string*) {
  return std::nullopt;
}

}  // namespace fermiac::jit

#endif
