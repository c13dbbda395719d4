// As many directions at a time as the instruction set of x86-64 has lanes: one instruction for each operation. lanes_a64.h has the
// same for 64-bit Arm.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "autodiff/tape/replay/scalar_machine.h"

namespace fermiac::ad {

class LaneArithmetic {
 public:
  using Vec = x86::Vec;
  using Place = x86::Mem;
  using Pointer = ScalarMachine::Pointer;

  explicit LaneArithmetic(ScalarMachine& machine) : a_(machine.assembler()), isa_(active_isa()), minus_one_(a_.newLabel()) {}

  std::uint32_t width() const { return isa_ == Isa::Avx512 ? 8 : isa_ == Isa::Avx2 ? 4 : 2; }
  std::uint32_t registers() const { return (isa_ == Isa::Avx512 ? 32 : 16) - kFirst; }
  Vec held(std::uint32_t k) const { return vector(kFirst + k); }

  void load(const Vec& to, const Place& from) { either(x86::Inst::kIdVmovupd, x86::Inst::kIdMovupd, to, from); }
  void store(const Place& to, const Vec& from) { either(x86::Inst::kIdVmovupd, x86::Inst::kIdMovupd, to, from); }
  void copy(const Vec& to, const Vec& from) { either(x86::Inst::kIdVmovapd, x86::Inst::kIdMovapd, to, from); }
  /// to = x + y and to = x - y; `to` is not y.
  void add(const Vec& to, const Vec& x, const Vec& y) { three(x86::Inst::kIdVaddpd, x86::Inst::kIdAddpd, to, x, y); }
  void subtract(const Vec& to, const Vec& x, const Vec& y) { three(x86::Inst::kIdVsubpd, x86::Inst::kIdSubpd, to, x, y); }
  /// to = p x for the number p.
  void times(const Vec& to, const Vec& x, const Place& p) {
    if (isa_ == Isa::Avx512) emit(x86::Inst::kIdVmulpd, to, x, p._1to8());
    else three(x86::Inst::kIdVmulpd, x86::Inst::kIdMulpd, to, x, broadcast(p));
  }
  void times_minus_one(const Vec& to, const Vec& x) { times(to, x, x86::ptr(minus_one_, 0, 8)); }
  /// sum += p x, rounded once where the instruction set can.
  void add_times(const Vec& sum, const Vec& x, const Place& p) {
    if (isa_ == Isa::Avx512) return emit(x86::Inst::kIdVfmadd231pd, sum, x, p._1to8());
    const Vec all = broadcast(p);
    if (isa_ == Isa::Avx2) return emit(x86::Inst::kIdVfmadd231pd, sum, x, all);
    emit(x86::Inst::kIdMulpd, all, x);
    emit(x86::Inst::kIdAddpd, sum, all);
  }
  /// A register that is free otherwise.
  Vec zeros() {
    isa_ == Isa::Sse2 ? a_.xorpd(x86::xmm0, x86::xmm0) : a_.vxorpd(x86::xmm0, x86::xmm0, x86::xmm0);  // of the whole register
    return vector(0);
  }
  /// Behind the code that mentions them.
  void constants() {
    a_.bind(minus_one_);
    a_.embedUInt64(std::bit_cast<std::uint64_t>(-1.0));
  }

  // ---------------------------------------------------------------- a loop over the directions: rax has the offset of those at hand

  void begin_directions(const asmjit::Label& next) {
    a_.xor_(x86::eax, x86::eax);
    a_.bind(next);
  }
  static Place place(const Pointer& base, std::size_t offset) { return x86::ptr(base, x86::rax, 0, static_cast<std::int32_t>(offset)); }
  void end_directions(const Pointer&, const Pointer&, std::size_t lanes, const asmjit::Label& next) {
    if (lanes > width()) {
      a_.add(x86::rax, width() * 8);
      a_.cmp(x86::rax, static_cast<std::int32_t>(lanes * sizeof(double)));
      a_.jne(next);
    }
    if (isa_ != Isa::Sse2) a_.vzeroupper();  // other code may use the lower halves of registers without knowing of the upper ones
  }

 private:
  static constexpr std::uint32_t kFirst = 2;

  Vec vector(std::uint32_t id) const {
    if (isa_ == Isa::Avx512) return x86::zmm(id);
    if (isa_ == Isa::Avx2) return x86::ymm(id);
    return x86::xmm(id);
  }
  template <class... Operands>
  void emit(x86::Inst::Id id, const Operands&... operands) {
    a_.emit(id, operands...);
  }
  void either(x86::Inst::Id avx, x86::Inst::Id sse, const asmjit::Operand& to, const asmjit::Operand& from) { emit(isa_ == Isa::Sse2 ? sse : avx, to, from); }
  void three(x86::Inst::Id avx, x86::Inst::Id sse, const Vec& to, const Vec& x, const Vec& y) {
    if (isa_ != Isa::Sse2) return emit(avx, to, x, y);
    if (to.id() != x.id()) copy(to, x);
    emit(sse, to, y);
  }
  Vec broadcast(const Place& p) {
    const Vec all = vector(0);
    if (isa_ == Isa::Avx2) return a_.vbroadcastsd(x86::ymm0, p), all;
    a_.movsd(x86::xmm0, p);
    a_.unpcklpd(x86::xmm0, x86::xmm0);
    return all;
  }

  x86::Assembler& a_;
  Isa isa_;
  asmjit::Label minus_one_;
};

}  // namespace fermiac::ad
