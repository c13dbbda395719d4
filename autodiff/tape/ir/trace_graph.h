// The dependence graph of a trace: who makes and who reads its numbers, and how far apart its ops stand. Every pass asks this
// one; each table is made when it is first asked for, in one walk over the operands, and is given up when the trace changes.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// What a gather is in the graph.
enum class Gathers : std::uint8_t {
  Ops,    // an op like others
  Names,  // its results are other names of the numbers that it reads
};

/// Numbers are asked for by Ref; constants are made by nothing and have depth 0. Each table costs O(numbers + operands) to make;
/// who makes takes 4 bytes a number, who reads 8, depths and heights 4 an op each, names 4 a number.
class TraceGraph {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  explicit TraceGraph(const Trace& trace, Gathers gathers = Gathers::Ops) : t_(trace), gathers_(gathers) {}

  /// The trace is another one by now: everything is forgotten.
  void changed();

  // ---- who makes

  /// The op that has r among its results; kNone: a constant or a parameter.
  std::uint32_t producer(Ref r) const {
    if (r.is_constant()) return kNone;
    if (producer_.empty()) make_producers();
    return producer_[name(r).index()];
  }
  /// The same as an op; null: none.
  const Op* maker(Ref r) const {
    const std::uint32_t i = producer(r);
    return i == kNone ? nullptr : &t_.ops[i];
  }
  /// The number that r is another name of (Gathers::Names); else r.
  Ref name(Ref r) const {
    if (gathers_ == Gathers::Ops || r.is_constant()) return r;
    if (name_.empty()) make_names();
    return name_[r.index()];
  }

  // ---- who reads

  /// How many operands read r; 2 stands for more.
  std::uint32_t uses(Ref r) const { return r.is_constant() ? kMany : reader(r).uses; }
  bool read_once(Ref r) const { return uses(r) == 1; }
  bool read_once(Ref first, std::uint32_t n) const { return all_used(first, n, 1); }
  bool unread(Ref first, std::uint32_t n) const { return all_used(first, n, 0); }
  /// The op that reads r, if there is one alone and it reads r once; else kNone.
  std::uint32_t sole_reader(Ref r) const { return uses(r) == 1 ? reader(r).last : kNone; }
  /// Whether an op reads r as one of a block of several: it must stay where it is.
  bool pinned(Ref r) const { return !r.is_constant() && reader(r).pinned; }
  /// For edits in place: the sole reader of r is now `op`.
  void set_sole_reader(Ref r, std::uint32_t op);

  // ---- how far apart

  /// Of a number: that of the op that makes it.
  std::uint32_t depth(Ref r) const {
    const std::uint32_t i = producer(r);
    return i == kNone ? 0 : depths()[i];
  }
  /// Per op: length of the longest chain of ops that ends with it; 1 if it reads parameters only.
  const std::vector<std::uint32_t>& depths() const;
  /// Per op: length of the longest chain of ops that read its result, one after the other; 0 if nothing does.
  const std::vector<std::uint32_t>& heights() const;

 private:
  static constexpr std::uint32_t kMany = 2;
  struct Readers {
    std::uint32_t last = kNone;
    std::uint8_t uses = 0;  // 0, 1, more
    bool pinned = false;
  };

  const std::vector<Readers>& readers() const {
    if (readers_.empty()) make_readers();
    return readers_;
  }
  const Readers& reader(Ref slot) const { return readers()[name(slot).index()]; }
  bool all_used(Ref first, std::uint32_t n, std::uint8_t uses) const;
  bool is_alias(const Op& op) const { return gathers_ == Gathers::Names && op.kind == OpKind::Gather; }
  void make_names() const;
  void make_producers() const;
  void make_readers() const;

  const Trace& t_;
  Gathers gathers_;
  mutable std::vector<Ref> name_;                 // by number
  mutable std::vector<std::uint32_t> producer_;   // by number
  mutable std::vector<Readers> readers_;          // by number
  mutable std::vector<std::uint32_t> depth_, height_;  // by op
};

}  // namespace fermiac::ad
