// Numbers and adjoints of a run in registers: which register has which, and what must go back to memory.
#pragma once

#include <array>
#include <cstdint>

#include <asmjit/x86.h>

namespace fermiac::ad {

namespace x86 = asmjit::x86;

/// One instruction for each instruction set: with three operands where there is AVX, fused products where there is FMA.
class ScalarArithmetic {
 public:
  ScalarArithmetic(x86::Assembler& assembler, bool avx) : a_(assembler), avx_(avx) {}

  void load(const x86::Xmm& to, const x86::Mem& from) { avx_ ? a_.vmovsd(to, from) : a_.movsd(to, from); }
  void store(const x86::Mem& to, const x86::Xmm& from) { avx_ ? a_.vmovsd(to, from) : a_.movsd(to, from); }
  void copy(const x86::Xmm& to, const x86::Xmm& from) { avx_ ? a_.vmovapd(to, from) : a_.movapd(to, from); }
  void sqrt(const x86::Xmm& to, const x86::Xmm& x) { avx_ ? a_.vsqrtsd(to, x, x) : a_.sqrtsd(to, x); }
  void compare(const x86::Xmm& x, const x86::Xmm& y) { avx_ ? a_.vucomisd(x, y) : a_.ucomisd(x, y); }

  /// to = x op y; `to` is neither x nor y, or it is x.
  template <class Y>
  void add(const x86::Xmm& to, const x86::Xmm& x, const Y& y) { avx_ ? a_.vaddsd(to, x, y) : (moved(to, x), a_.addsd(to, y)); }
  template <class Y>
  void subtract(const x86::Xmm& to, const x86::Xmm& x, const Y& y) { avx_ ? a_.vsubsd(to, x, y) : (moved(to, x), a_.subsd(to, y)); }
  template <class Y>
  void multiply(const x86::Xmm& to, const x86::Xmm& x, const Y& y) { avx_ ? a_.vmulsd(to, x, y) : (moved(to, x), a_.mulsd(to, y)); }
  template <class Y>
  void divide(const x86::Xmm& to, const x86::Xmm& x, const Y& y) { avx_ ? a_.vdivsd(to, x, y) : (moved(to, x), a_.divsd(to, y)); }
  void flip_sign(const x86::Xmm& to, const x86::Xmm& x, const x86::Mem& sign) { avx_ ? a_.vxorpd(to, x, sign) : (moved(to, x), a_.xorpd(to, sign)); }

  /// sum += x y and sum -= x y, rounded once where the instruction set can. `free` is overwritten.
  void add_product(const x86::Xmm& sum, const x86::Xmm& x, const x86::Xmm& y, const x86::Xmm& free) {
    avx_ ? a_.vfmadd231sd(sum, x, y) : (moved(free, x), a_.mulsd(free, y), a_.addsd(sum, free));
  }
  void subtract_product(const x86::Xmm& sum, const x86::Xmm& x, const x86::Xmm& y, const x86::Xmm& free) {
    avx_ ? a_.vfnmadd231sd(sum, x, y) : (moved(free, x), a_.mulsd(free, y), a_.subsd(sum, free));
  }

 private:
  int moved(const x86::Xmm& to, const x86::Xmm& x) {
    if (to.id() != x.id()) a_.movapd(to, x);
    return 0;
  }
  x86::Assembler& a_;
  bool avx_;
};

/// xmm0 and xmm1 stay free. What is not in memory yet goes there when its register is wanted for something else.
class ScalarRegisters {
 public:
  ScalarRegisters(ScalarArithmetic& arithmetic, const x86::Gp& values, const x86::Gp& adjoints) : do_(arithmetic), values_(values), adjoints_(adjoints) {}

  /// Registers of the op before may be given away from now on.
  void next_op() { ++now_; }
  x86::Xmm value(std::uint32_t slot) { return held(slot, false); }
  x86::Xmm adjoint(std::uint32_t slot) { return held(slot, true); }
  /// The register in which the value of the slot will stand; the caller stores it, too.
  x86::Xmm new_value(std::uint32_t slot) { return take(slot, false); }
  /// Its register has another value than memory.
  void changed_adjoint(std::uint32_t slot) { find(slot, true)->dirty = true; }
  /// Nobody reads it any more.
  void drop_adjoint(std::uint32_t slot) {
    if (Entry* e = find(slot, true)) e->busy = e->dirty = false;
  }
  /// A register for the op alone.
  x86::Xmm temporary() {
    Entry& e = oldest();
    e = {.used = now_};
    return xmm(e);
  }
  void write_back() {
    for (Entry& e : entries_) write_back(e);
  }
  /// All registers are somebody else's.
  void forget() { entries_ = {}; }

  x86::Mem value_place(std::uint32_t slot) const { return x86::ptr(values_, static_cast<std::int32_t>(slot * 8), 8); }
  x86::Mem adjoint_place(std::uint32_t slot) const { return x86::ptr(adjoints_, static_cast<std::int32_t>(slot * 8), 8); }

 private:
  static constexpr std::uint32_t kFirst = 2;
  struct Entry {
    std::uint32_t slot = 0;
    bool adjoint = false, busy = false, dirty = false;
    std::uint64_t used = 0;  // the op
  };

  x86::Xmm xmm(const Entry& e) const { return x86::xmm(kFirst + static_cast<std::uint32_t>(&e - entries_.data())); }
  Entry* find(std::uint32_t slot, bool adjoint) {
    for (Entry& e : entries_)
      if (e.busy && e.slot == slot && e.adjoint == adjoint) return &e;
    return nullptr;
  }
  Entry& oldest() {
    Entry* best = entries_.data();
    for (Entry& e : entries_)
      if (e.used < best->used) best = &e;
    write_back(*best);
    return *best;
  }
  x86::Xmm take(std::uint32_t slot, bool adjoint) {
    Entry& e = oldest();
    e = {.slot = slot, .adjoint = adjoint, .busy = true, .used = now_};
    return xmm(e);
  }
  x86::Xmm held(std::uint32_t slot, bool adjoint) {
    if (Entry* e = find(slot, adjoint)) {
      e->used = now_;
      return xmm(*e);
    }
    const x86::Xmm to = take(slot, adjoint);
    do_.load(to, adjoint ? adjoint_place(slot) : value_place(slot));
    return to;
  }
  void write_back(Entry& e) {
    if (e.busy && e.dirty) do_.store(adjoint_place(e.slot), xmm(e));
    e.dirty = false;
  }

  ScalarArithmetic& do_;
  x86::Gp values_, adjoints_;
  std::array<Entry, 14> entries_{};
  std::uint64_t now_ = 1;
};

}  // namespace fermiac::ad
