// From three-address code to pages that can be called.
#include "jit/emit.h"

#if defined(FERMIAC_JIT)

#include <memory>

#include "jit/emit_traced.h"
#include "support/platform/asmjit_code.h"

namespace fermiac::jit {

bool has_machine_code() {
  return true;
}

std::optional<MachineCode> emit(const Code& code, const Helpers& helpers, bool traced, std::string* listing) {
  MachineCode out;
  AsmjitErrors errors;
  asmjit::StringLogger text;
  asmjit::CodeHolder holder;
  if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk) return std::nullopt;
  holder.setErrorHandler(&errors);
  if (listing) holder.setLogger(&text);
  const std::unique_ptr<Emitter> emitter = traced ? std::make_unique<TracedEmitter>(code, helpers, holder, out.checks) : std::make_unique<Emitter>(code, helpers, holder, out.checks);
  emitter->run();
  if (errors.any || emitter->finish() != asmjit::kErrorOk || errors.any) return std::nullopt;
  out.pages = placed(holder);
  if (!out.pages) return std::nullopt;
  out.size = holder.codeSize();
  out.entry = reinterpret_cast<Entry>(out.pages.bytes().data());
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
