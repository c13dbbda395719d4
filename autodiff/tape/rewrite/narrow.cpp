// Vectors of which some elements go one way and the others another: of 1000 outcomes 50 are missing, and the statement is recorded
// as two densities, each with its part of the linear predictor. An element-wise op of which only parts are read is computed for each
// part by itself, on parts of the operands: those of data are data again, and what looks for a linear predictor finds one.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kFewest = 32;        // lanes: below, a gather costs as little as it saves
constexpr std::uint32_t kMostSingles = 16;   // lanes that are read by themselves
constexpr std::size_t kMostParts = 8;
constexpr std::uint32_t kDeepest = 64;       // ops that go through to gathers, one behind the other

class Narrowing {
 public:
  Narrowing(Trace& t, const TraceGraph& graph) : t_(t), graph_(graph), depth_(t.ops.size(), 0) {}

  bool run() {
    bool found = false;
    for (std::uint32_t i = static_cast<std::uint32_t>(t_.ops.size()); i-- > 0;)
      if (is_candidate(t_.ops[i])) found |= (depth_[i] = depth_of_readers(t_.ops[i])) > 0;
    if (!found) return false;
    out_.emplace(t_);
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      if (depth_[i] == 0) emit(i);
    t_ = std::move(*out_).finish();
    return true;
  }

 private:
  using Lanes = std::vector<std::uint32_t>;

  /// A product of a matrix of data with a vector has a row for each lane.
  bool is_product(const Op& op) const {
    if (op.kind != OpKind::Call) return false;
    const CallInfo& call = t_.calls[op.table()];
    if (call.kernel != known_kernels().multiply || call.count != 2) return false;
    const CallOperand &matrix = t_.call_operands[call.first], &vector = t_.call_operands[call.first + 1];
    return !matrix.autodiff && !matrix.ints && matrix.place.is_const_vector() && matrix.shape.inner == Inner::Matrix &&
           !matrix.shape.complex && matrix.shape.rank == 0 && vector.shape.inner == Inner::Vector && !vector.ints;
  }
  bool is_candidate(const Op& op) const { return op.n >= kFewest && (op.kind == OpKind::Vector || is_product(op)); }
  bool may_fail(const Op& op) const {
    return op.kind == OpKind::Call ? !t_.calls[op.table()].kernel->total : !map_op(op.map).total;
  }

  /// How many ops that become narrow follow each other from here to the gathers; 0: it stays as it is.
  std::uint32_t depth_of_readers(const Op& op) const {
    std::uint32_t singles = 0, deepest = 0, parts = 0;
    std::vector<std::uint32_t> known;  // readers that take a part or go through themselves
    for (std::uint32_t k = 0; k < op.n; ++k) {
      const Ref lane = op.d + k;
      if (graph_.uses(lane) == 0 && !may_fail(op)) continue;
      const std::uint32_t reader = graph_.sole_reader(lane);
      if (reader == TraceGraph::kNone) return 0;
      if (std::ranges::find(known, reader) != known.end()) continue;
      const Op& by = t_.ops[reader];
      const bool narrow = depth_[reader] > 0, single = by.kind != OpKind::Gather && !narrow && !graph_.pinned(lane);
      if (single && ++singles <= kMostSingles) continue;
      if (single || known.size() == kMostParts || !(by.kind == OpKind::Gather ? gathers_from(by, op) : narrow ? reads_whole(by, op) : reads_part(by, op))) return 0;
      known.push_back(reader);
      deepest = std::max(deepest, depth_[reader]);
      parts += !narrow;
    }
    return parts + deepest == 0 || deepest == kDeepest ? 0 : deepest + 1;
  }
  bool gathers_from(const Op& gather, const Op& op) const {
    if (gather.n == 1) return false;
    for (std::uint32_t k = 0; k < gather.n; ++k) {
      const Ref r = t_.index[gather.table() + k];
      if (r.is_constant() || r < op.d || r - op.d >= op.n) return false;
    }
    return true;
  }
  /// Only runs that end within it: a part whose numbers follow each other needs no gather.
  bool reads_part(const Op& by, const Op& op) const {
    bool out = true;
    for_each_operand(t_, by, [&](Ref r, std::uint32_t n) {
      if (r.is_constant() || r + n <= op.d || op.d + op.n <= r) return;
      out = out && r >= op.d && r + n <= op.d + op.n && n < op.n;
    });
    return out;
  }
  static bool reads_whole(const Op& by, const Op& op) {
    if (by.kind != OpKind::Vector || by.n != op.n) return false;
    for (int j = 0; j < place_operands(by); ++j)
      if ((by.vector_mask >> j & 1u) && by.x[j] == op.d) return true;
    return false;
  }

  // ---- the new trace

  void emit(std::uint32_t i) {
    const Op& op = t_.ops[i];
    if (op.kind == OpKind::Gather && is_narrow(t_.index[op.table()])) return emit_gather(op, t_.sites[i]);
    for_each_operand(t_, op, [&](Ref r, std::uint32_t n) {
      if (is_narrow(r)) emit_part(r, n, t_.sites[i]);
    });
    out_->copy(i);
  }
  bool is_narrow(Ref r) const {
    const std::uint32_t i = graph_.producer(r);
    return i != TraceGraph::kNone && depth_[i] > 0;
  }
  void emit_gather(const Op& gather, Site site) {
    const Op& source = *graph_.maker(t_.index[gather.table()]);
    Lanes lanes(gather.n);
    for (std::uint32_t k = 0; k < gather.n; ++k) lanes[k] = t_.index[gather.table() + k] - source.d;
    const Ref block = narrowed(source.d, lanes, site);
    for (std::uint32_t k = 0; k < gather.n; ++k) out_->map_slot(gather.d + k, block + k);
  }
  void emit_part(Ref r, std::uint32_t n, Site site) {
    const Op& source = *graph_.maker(r);
    Lanes lanes(n);
    std::iota(lanes.begin(), lanes.end(), r - source.d);
    const Ref block = narrowed(source.d, lanes, site);
    for (std::uint32_t k = 0; k < n; ++k) out_->map_slot(r + k, block + k);
  }
  /// These numbers of the old block from `first` on, as a block of the new trace.
  Ref narrowed(Ref first, const Lanes& lanes, Site site) {
    if (first.is_constant()) return constants(first, lanes);
    const Op* const made = graph_.maker(first);
    if (made != nullptr && made->d == first && is_narrow(first)) return made->kind == OpKind::Call ? product(*made, lanes, site) : map(*made, lanes, site);
    std::vector<Ref> refs;
    for (const std::uint32_t k : lanes) refs.push_back(source(first + k));
    return out_->block(refs);
  }
  /// What a gather copied, found where it came from, unless that is in parts: then the gather's numbers are where they went.
  Ref source(Ref r) const {
    const Op* const made = graph_.maker(r);
    if (made == nullptr || made->kind != OpKind::Gather) return r;
    const Ref copied = t_.index[made->table() + (r - made->d)];
    return is_narrow(copied) ? r : copied;
  }
  Ref constants(Ref first, const Lanes& lanes) {
    std::vector<double> values;
    for (const std::uint32_t k : lanes) values.push_back(numbers_at(t_, first)[k]);
    return out_->constant_block(values);
  }
  Ref map(const Op& old, const Lanes& lanes, Site site) {
    Op op = old;
    op.n = static_cast<std::uint32_t>(lanes.size());
    for (int j = 0; j < place_operands(op); ++j)
      op.x[j] = old.vector_mask >> j & 1u ? narrowed(old.x[j], lanes, site) : out_->mapped(old.x[j]);
    op.d = out_->allocate(std::max(op.n, kPad));
    out_->push(op, site);
    return with_values(op.d, old.d, lanes);
  }
  Ref product(const Op& old, const Lanes& lanes, Site site) {
    const CallInfo& call = t_.calls[old.table()];
    const CallOperand &matrix = t_.call_operands[call.first], &vector = t_.call_operands[call.first + 1];
    Lanes entries;
    for (std::uint32_t c = 0; c < matrix.shape.cols; ++c)
      for (const std::uint32_t k : lanes) entries.push_back(c * matrix.shape.rows + k);
    const Shape shape = Shape::matrix(static_cast<std::uint32_t>(lanes.size()), matrix.shape.cols);
    const KernelOperand operands[] = {{.shape = shape, .ref = constants(matrix.place, entries)},
                                      {.shape = vector.shape, .ref = out_->block(vector.place, vector.shape.size()), .autodiff = vector.autodiff}};
    return with_values(out_->push_call(*call.kernel, call.name, operands, site), old.d, lanes);
  }
  Ref with_values(Ref now, Ref old, const Lanes& lanes) {
    for (std::uint32_t k = 0; k < lanes.size(); ++k) out_->set_value(now + k, t_.values[(old + lanes[k]).index()]);
    return now;
  }

  Trace& t_;
  const TraceGraph& graph_;
  std::vector<std::uint32_t> depth_;  // by op: 0 of those that stay
  std::optional<Emitter> out_;        // once there is something to change
};

}  // namespace

Change narrow_vectors(Trace& t, TraceGraph& graph) {
  return Narrowing(t, graph).run() ? Change::LeavesDeadOps : Change::None;
}

}  // namespace fermiac::ad
