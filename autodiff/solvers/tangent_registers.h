// Rows of tangents in vector registers: which register has which row, and what is stored when another row wants it. Include only
// from .cpp files that make machine code.
#pragma once

#include <asmjit/x86.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

namespace x86 = asmjit::x86;

/// As many directions at a time as the instruction set has lanes: one instruction for each.
class LaneArithmetic {
 public:
  LaneArithmetic(x86::Assembler& assembler, Isa isa) : a_(assembler), isa_(isa) {}

  std::uint32_t width() const { return isa_ == Isa::Avx512 ? 8 : isa_ == Isa::Avx2 ? 4 : 2; }
  /// The first registers are free for what this class needs.
  static constexpr std::uint32_t kFirst = 2;
  std::uint32_t registers() const { return (isa_ == Isa::Avx512 ? 32 : 16) - kFirst; }
  x86::Vec vector(std::uint32_t id) const {
    if (isa_ == Isa::Avx512) return x86::zmm(id);
    if (isa_ == Isa::Avx2) return x86::ymm(id);
    return x86::xmm(id);
  }

  void load(const x86::Vec& to, const x86::Mem& from) { either(x86::Inst::kIdVmovupd, x86::Inst::kIdMovupd, to, from); }
  void store(const x86::Mem& to, const x86::Vec& from) { either(x86::Inst::kIdVmovupd, x86::Inst::kIdMovupd, to, from); }
  void copy(const x86::Vec& to, const x86::Vec& from) { either(x86::Inst::kIdVmovapd, x86::Inst::kIdMovapd, to, from); }
  /// to = x + y and to = x - y; `to` is not y.
  void add(const x86::Vec& to, const x86::Vec& x, const x86::Vec& y) { three(x86::Inst::kIdVaddpd, x86::Inst::kIdAddpd, to, x, y); }
  void subtract(const x86::Vec& to, const x86::Vec& x, const x86::Vec& y) { three(x86::Inst::kIdVsubpd, x86::Inst::kIdSubpd, to, x, y); }
  /// to = p x for the number p.
  void times(const x86::Vec& to, const x86::Vec& x, const x86::Mem& p) {
    if (isa_ == Isa::Avx512) emit(x86::Inst::kIdVmulpd, to, x, p._1to8());
    else three(x86::Inst::kIdVmulpd, x86::Inst::kIdMulpd, to, x, broadcast(p));
  }
  /// sum += p x, rounded once where the instruction set can.
  void add_times(const x86::Vec& sum, const x86::Vec& x, const x86::Mem& p) {
    if (isa_ == Isa::Avx512) return emit(x86::Inst::kIdVfmadd231pd, sum, x, p._1to8());
    const x86::Vec all = broadcast(p);
    if (isa_ == Isa::Avx2) return emit(x86::Inst::kIdVfmadd231pd, sum, x, all);
    emit(x86::Inst::kIdMulpd, all, x);
    emit(x86::Inst::kIdAddpd, sum, all);
  }
  /// Behind the last: other code may use the lower halves of registers without knowing of the upper ones.
  void end() {
    if (isa_ != Isa::Sse2) a_.vzeroupper();
  }

 private:
  template <class... Operands>
  void emit(x86::Inst::Id id, const Operands&... operands) {
    a_.emit(id, operands...);
  }
  void either(x86::Inst::Id avx, x86::Inst::Id sse, const asmjit::Operand& to, const asmjit::Operand& from) { emit(isa_ == Isa::Sse2 ? sse : avx, to, from); }
  void three(x86::Inst::Id avx, x86::Inst::Id sse, const x86::Vec& to, const x86::Vec& x, const x86::Vec& y) {
    if (isa_ != Isa::Sse2) return emit(avx, to, x, y);
    if (to.id() != x.id()) copy(to, x);
    emit(sse, to, y);
  }
  x86::Vec broadcast(const x86::Mem& p) {
    const x86::Vec all = vector(0);
    if (isa_ == Isa::Avx2) return a_.vbroadcastsd(x86::ymm0, p), all;
    a_.movsd(x86::xmm0, p);
    a_.unpcklpd(x86::xmm0, x86::xmm0);
    return all;
  }

  x86::Assembler& a_;
  Isa isa_;
};

/// Straight code whose reads are known in advance: the register that is given away is the one whose row is wanted last.
class RowRegisters {
 public:
  static constexpr std::uint32_t kNever = ~0u;

  /// Row r lies at place(r). Rows before `inputs` are there already.
  RowRegisters(LaneArithmetic& arithmetic, std::uint32_t rows, std::uint32_t inputs, std::function<x86::Mem(std::uint32_t)> place)
      : do_(arithmetic), held_(arithmetic.registers()), where_(rows, kNever), stored_(rows, false), place_(std::move(place)) {
    std::fill_n(stored_.begin(), inputs, true);
  }

  /// The row; `next`: when it is read again.
  x86::Vec read(std::uint32_t row, std::uint32_t next) {
    if (where_[row] == kNever) {
      take(row);
      do_.load(reg(row), place_(row));
    }
    held_[where_[row]] = {.row = row, .next = next, .pinned = true};
    return reg(row);
  }
  /// A register for a row that is computed now.
  x86::Vec write(std::uint32_t row, std::uint32_t next) {
    take(row);
    held_[where_[row]].next = next;
    return reg(row);
  }
  /// The op is done: what nobody reads any more is free.
  void next_op() {
    for (Held& h : held_) {
      h.pinned = false;
      if (h.row != kNever && h.next == kNever) release(h);
    }
  }

 private:
  struct Held {
    std::uint32_t row = kNever, next = kNever;
    bool pinned = false;
  };

  x86::Vec reg(std::uint32_t row) const { return do_.vector(LaneArithmetic::kFirst + where_[row]); }
  void release(Held& h) {
    where_[h.row] = kNever;
    h = {};
  }
  void take(std::uint32_t row) {
    Held* best = nullptr;
    for (Held& h : held_) {
      if (h.pinned) continue;
      if (h.row == kNever) {
        best = &h;
        break;
      }
      if (best == nullptr || h.next > best->next) best = &h;
    }
    if (best->row != kNever) put_away(*best);
    *best = {.row = row, .pinned = true};
    where_[row] = static_cast<std::uint32_t>(best - held_.data());
  }
  void put_away(Held& h) {
    if (!stored_[h.row]) do_.store(place_(h.row), reg(h.row));
    stored_[h.row] = true;
    release(h);
  }

  LaneArithmetic& do_;
  std::vector<Held> held_;
  std::vector<std::uint32_t> where_;  // register of a row
  std::vector<bool> stored_;
  std::function<x86::Mem(std::uint32_t)> place_;
};

}  // namespace fermiac::ad
