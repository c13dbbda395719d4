// Functions whose registers asmjit's compiler allocates: frames, calls, registers of one's own. For code with loops and branches.
#pragma once

#include "jit/machine.h"

namespace fermiac::jit {

class Compiled : public Machine {
 public:
  explicit Compiled(Compiler& compiler) : Machine(compiler), compiler_(compiler) {}

 protected:
  Real real() override { return compiler_.newVec(kRealType); }
  Gp number() override { return compiler_.newGp(kNumberType); }
  Gp pointer() override { return compiler_.newUIntPtr(); }
  Place pooled(const void* data, std::size_t bytes) override { return {compiler_.newConst(asmjit::ConstPoolScope::kLocal, data, bytes)}; }
  /// Of a call.
  Gp status() { return compiler_.newUInt32(); }
  Place stack(std::uint32_t bytes) { return {compiler_.newStack(bytes, 16)}; }

  /// Returns the function's argument.
  Gp open_function() {
    asmjit::FuncNode* const f = compiler_.addFunc(asmjit::FuncSignatureT<std::uint32_t, void*>(asmjit::CallConvId::kHost));
    prepare_function(*f);
    const Gp argument = pointer();
    f->setArg(0, argument);
    return argument;
  }
  void leave(std::uint32_t result) {
    const Gp value = status();
    compiler_.mov(value, result);
    compiler_.ret(value);
  }
  void close_function() { compiler_.endFunc(); }
  asmjit::InvokeNode* invoke(const void* function, const asmjit::FuncSignature& signature) {
    asmjit::InvokeNode* node = nullptr;
    const Gp at = pointer();
    set_pointer(at, function);
    compiler_.invoke(&node, at, signature);
    prepare_call(*node);
    return node;
  }
  static asmjit::Imm address(const void* at) { return asmjit::Imm(reinterpret_cast<std::uintptr_t>(at)); }

  Compiler& compiler_;
};

}  // namespace fermiac::jit
