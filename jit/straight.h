// Straight code over arrays of doubles: a function that computes numbers one after another, with jumps only out of it and around what
// leaves the registers alone. Registers hold the numbers that are read next. Include only from .cpp files that make machine code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "jit/machine.h"

namespace fermiac::jit {

class Straight : public Machine {
 public:
  /// An array of doubles, or of rows of so many bytes.
  struct Array {
    Gp base;
    std::size_t stride = sizeof(double);
  };
  /// An element of the first or of the second array.
  struct Number {
    std::uint8_t array = 0;
    std::uint32_t index = 0;
    friend bool operator==(const Number&, const Number&) = default;
  };

  Straight(Assembler& assembler, const Array& first, const Array& second)
      : Machine(assembler), arrays_{first, second}, constants_(assembler.newLabel()) {}

  // ---------------------------------------------------------------- registers

  /// Of several registers the one whose number has the least use is given away. kLatest: the more, the later the operation.
  using Use = std::uint32_t;
  static constexpr Use kUnread = 0, kLatest = ~Use{0};

  /// Registers of the operation before may be given away from now on.
  void next_op() { ++now_; }
  /// The register that has the number, loaded if necessary.
  Real read(Number x, Use use = kLatest) {
    if (Entry* const e = find(x)) {
      touch(*e, use);
      return reg(*e);
    }
    const Real to = take(x, use);
    load(to, place(x));
    return to;
  }
  /// A register for a number that is computed now. The number has no value in memory: set_dirty() or store() it.
  Real write(Number x, Use use = kLatest) { return take(x, use); }
  /// The register's value goes to memory when its register is given away, unless nobody reads it any more.
  void set_dirty(Number x) { find(x)->dirty = true; }
  void drop(Number x) {
    if (Entry* const e = find(x)) *e = {};
  }
  void write_back() {
    for (Entry& e : entries()) write_back(e);
  }
  /// A call has overwritten all registers, or they are to have another width.
  void forget() { entries_ = {}; }

  using Machine::place;
  Place place(Number x) const { return place(arrays_[x.array].base, x.index * arrays_[x.array].stride); }
  /// A register for intermediate results, always the same one. Functions take their first number there and return theirs there.
  Real real() override { return free(); }

  // ---------------------------------------------------------------- arithmetic

  using Machine::compare;
  /// Jumps to `to` unless the comparison has this outcome. It is false if a number is a NaN, except NotEqual.
  void jump_unless(Condition c, Number x, Number y, bool outcome, const Label& to) {
    if (is_less(c)) std::swap(x, y), c = mirrored(c);
    const Real left = read(x), right = read(y);
    compare(left, right);
    jump_compared(c, !outcome, to);
  }
  using Machine::jump_unless;

  // ---------------------------------------------------------------- functions

  Label label() { return a_.newLabel(); }
  void bind(const Label& label) { a_.bind(label); }
  template <class F>
  void call(F* function) {
    Machine::call(reinterpret_cast<const void*>(function));
    forget();
  }
  /// After the code that uses constants.
  void embed_constants() {
    if (!pool_.empty()) a_.embedConstPool(constants_, pool_);
  }

 private:
  struct Entry {
    Number number;
    bool busy = false, dirty = false;
    Use use = 0;
    std::uint32_t touched = 0;  // the operation
  };

  Gp number() override { return kNumber; }
  Gp pointer() override { return kPointer; }
  Place pooled(const void* data, std::size_t bytes) override {
    std::size_t offset = 0;
    pool_.add(data, bytes, offset);
    return at_label(constants_, offset);
  }

  std::span<Entry> entries() { return {entries_.data(), held_count()}; }
  Real reg(const Entry& e) const { return held(static_cast<std::uint32_t>(&e - entries_.data())); }
  Entry* find(Number x) {
    for (Entry& e : entries())
      if (e.busy && e.number == x) return &e;
    return nullptr;
  }
  void touch(Entry& e, Use use) {
    e.touched = now_;
    e.use = use == kLatest ? now_ : use;
  }
  Real take(Number x, Use use) {
    Entry& e = least();
    write_back(e);
    e = {.number = x, .busy = true};
    touch(e, use);
    return reg(e);
  }
  Entry& least() {
    Entry* best = nullptr;
    for (Entry& e : entries())
      if (e.touched < now_ && (!best || e.use < best->use)) best = &e;
    return *best;
  }
  void write_back(Entry& e) {
    if (e.dirty && e.use != kUnread) store(place(e.number), reg(e));
    e.dirty = false;
  }

  std::array<Array, 2> arrays_;
  std::array<Entry, 32> entries_{};
  std::uint32_t now_ = 1;
  asmjit::Zone zone_{1024};
  asmjit::ConstPool pool_{&zone_};
  Label constants_;
};

}  // namespace fermiac::jit
