// Vector ops tile by tile (tiles.h).
#include "autodiff/kernels/lane_sums.h"
#include "autodiff/tape/replay/run_tiles.h"
#include "autodiff/tape/replay/sweep.h"
#include "autodiff/tape/replay/tiles.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

void add_number(double* x, std::uint32_t n, double number) {
  std::uint32_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(x + i, load(x + i) + number);
  for (; i < n; ++i) x[i] += number;
}

namespace {

/// A piece of the elements and its buffer.
struct Piece {
  const BoundTiles& t;
  bool with_gradient;
  double *values, *adjoints, *scalar_adjoints, *sum;

  Piece(const BoundTiles& tiles, std::uint32_t k, bool gradient)
      : t(tiles), with_gradient(gradient), values(t.buffers + k * t.stride), adjoints(values + vectors()),
        scalar_adjoints(adjoints + vectors()), sum(scalar_adjoints + t.count * kMaxMapArity) {}

  std::size_t vectors() const { return std::size_t{t.locals} * t.size; }
  /// The m elements from `first` on.
  MapArgs args(std::uint32_t op, std::uint32_t first, std::uint32_t m) const {
    const BoundTiled& b = t.ops[op];
    MapArgs r = b.args;
    r.n = m;
    for (int j = 0; j < b.map->arity; ++j) {
      if (is_local(*b.op, j)) {
        const std::size_t local = std::size_t{b.op->local_operand(j)} * t.size;
        r.x[j] = values + local;
        r.a[j] = b.op->ad_mask >> j & 1u ? adjoints + local : nullptr;
      } else if (r.vector_mask >> j & 1u) {
        r.x[j] += first;
        if (r.a[j] != nullptr) r.a[j] += first;
      } else if (r.a[j] != nullptr) {
        r.a[j] = scalar_adjoints + op * kMaxMapArity + j;
      }
    }
    if (b.op->local.has_result()) {
      const std::size_t local = std::size_t{b.op->local_result()} * t.size;
      r.out = values + local;
      r.out_a = adjoints + local;
    }
    return r;
  }
  bool sink(const BoundTiled& b, const MapArgs& m) const {
    if (m.g == 0) return true;  // does not count
    double x = 0;
    const bool ok = with_gradient ? b.map->fused(m, &x) : b.map->reduce(m, &x);
    *sum += m.g * x;
    return ok;
  }
  void target(const BoundTiled& b, std::uint32_t m) const {
    if (b.args.g == 0) return;
    const std::size_t local = std::size_t{b.op->local_operand(0)} * t.size;
    *sum += b.args.g * sum_of<4>(values + local, m);
    if (with_gradient) add_number(adjoints + local, m, b.args.g);
  }
  bool forward(std::uint32_t op, std::uint32_t first, std::uint32_t m) const {
    const BoundTiled& b = t.ops[op];
    if (b.op->kind == OpKind::Target) return target(b, m), true;
    const MapArgs r = args(op, first, m);
    return b.op->kind == OpKind::Vector ? b.map->map(r) : sink(b, r);
  }
  void clear(double* x, std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) x[i] = 0;
  }
  /// The number of ops, or the one that broke a rule.
  std::uint32_t tile(std::uint32_t first, std::uint32_t m) const {
    if (with_gradient) clear(adjoints, vectors());
    for (std::uint32_t op = 0; op < t.count; ++op)
      if (!forward(op, first, m)) return op;
    for (std::uint32_t op = t.count; with_gradient && op-- > 0;)
      if (t.ops[op].op->kind == OpKind::Vector) t.ops[op].map->map_reverse(args(op, first, m));
    return t.count;
  }
  std::uint32_t run(std::uint32_t first, std::uint32_t end) const {
    clear(scalar_adjoints, t.count * kMaxMapArity + 1);
    for (; first < end; first += t.size) {
      const std::uint32_t op = tile(first, end - first < t.size ? end - first : t.size);
      if (op < t.count) return op;
    }
    return t.count;
  }
  /// What it found goes where it belongs.
  void collect(Sweep& s) const {
    s.lp += *sum;
    for (std::uint32_t op = 0; with_gradient && op < t.count; ++op) {
      const BoundTiled& b = t.ops[op];
      for (int j = 0; b.map != nullptr && j < b.map->arity; ++j)
        if (!is_local(*b.op, j) && b.args.a[j] != nullptr && (b.args.vector_mask >> j & 1u) == 0)
          *b.args.a[j] += scalar_adjoints[op * kMaxMapArity + j];
    }
  }
};

}  // namespace

bool run_tiles(Sweep& s, BoundTiles& t) {
  auto run = [&](std::uint32_t k) {
    const std::uint32_t first = t.pieces.begin(k);
    t.failed[k] = Piece(t, k, s.with_gradient).run(first, first + t.pieces.length(k, t.n));
  };
  if (t.entangled || t.pieces.count == 1)
    for (std::uint32_t k = 0; k < t.pieces.count; ++k) run(k);
  else each_piece(t.pieces.count, run);
  for (std::uint32_t k = 0; k < t.pieces.count; ++k) {
    if (t.failed[k] < t.count) {
      s.stopped_in_tile = t.failed[k];
      return false;
    }
    Piece(t, k, s.with_gradient).collect(s);
  }
  return true;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
