// The frame of a function, its registers and calls: what asmjit's compilers for all machines do in the same way.
#pragma once

#include <asmjit/core.h>

#include <cstdint>

namespace fermiac::jit {

template <class Compiler, class GpRegister>
class Functions {
 public:
  explicit Functions(asmjit::CodeHolder& holder) : cc_(&holder) {}
  asmjit::Error finish() { return cc_.finalize(); }

 protected:
  using Gp = GpRegister;
  using Label = asmjit::Label;

  /// Its argument.
  Gp open_function() {
    asmjit::FuncNode* const f = cc_.addFunc(asmjit::FuncSignatureT<std::uint32_t, void*>(asmjit::CallConvId::kHost));
    const Gp argument = pointer();
    f->setArg(0, argument);
    return argument;
  }
  void leave(std::uint32_t result) {
    const Gp value = status();
    cc_.mov(value, result);
    cc_.ret(value);
  }
  void close_function() { cc_.endFunc(); }
  asmjit::InvokeNode* invoke(const void* function, const asmjit::FuncSignature& signature) {
    asmjit::InvokeNode* node = nullptr;
    const Gp at = pointer();
    cc_.mov(at, address(function));
    cc_.invoke(&node, at, signature);
    return node;
  }
  static asmjit::Imm address(const void* at) { return asmjit::Imm(reinterpret_cast<std::uintptr_t>(at)); }

  Gp pointer() { return cc_.newUIntPtr(); }
  /// Of a call.
  Gp status() { return cc_.newUInt32(); }

  Compiler cc_;
};

}  // namespace fermiac::jit
