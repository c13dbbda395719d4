// From three-address code to pages that can be called.
#include "jit/emit.h"

#if defined(FERMIAC_JIT)

#include <memory>

#include "jit/buffer.h"
#include "jit/emit_traced.h"

namespace fermiac::jit {

bool has_machine_code() {
  return true;
}

std::optional<MachineCode> emit(const Code& code, const Helpers& helpers, bool traced, std::string* listing) {
  MachineCode out;
  asmjit::StringLogger text;
  Buffer<Machine::Compiler> buffer(listing ? &text : nullptr);
  const std::unique_ptr<Emitter> emitter = traced ? std::make_unique<TracedEmitter>(code, helpers, buffer.emitter(), out.checks)
                                                  : std::make_unique<Emitter>(code, helpers, buffer.emitter(), out.checks);
  emitter->run();
  out.pages = buffer.pages({});
  if (!out.pages) return std::nullopt;
  out.size = buffer.size();
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
