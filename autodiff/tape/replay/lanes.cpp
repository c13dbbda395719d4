#include "autodiff/tape/replay/lanes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>

#include "autodiff/tape/ir/hot_ops.h"
#include "support/base/check.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::uint32_t kLongVector = 4096;  // lanes of its own do as well

bool fits(const TapeOp& op) {
  return op.kind != OpKind::Tiles && op.kind != OpKind::Run && op.kind != OpKind::WeighedSink && op.kind != OpKind::WeighedTarget &&
         op.n < kLongVector;
}

/// A product of two scalars for all elements is rounded before it is added, where each element's own is not: the compiler takes it out of
/// the loop of one point.
bool has_common_product(const TapeOp& op) {
  static const std::array<MapCode, 3> kFused = {find_map("log_terms__"), find_map("offset_multiplier_constrain"), find_map("lmultiply")};
  return (op.map == map_of(Hot::Fma) && op.vector_mask == 0b100) || std::ranges::find(kFused, op.map) != kFused.end();
}

/// None: point by point.
LaneForms forms_of(const TapeOp& op) { return has_common_product(op) ? LaneForms() : lane_forms(op.map); }

bool is_apart(const TapeOp& op) { return is_call(op.kind) || (is_vector_op(op.kind) && !forms_of(op)); }

}  // namespace

std::uint32_t Lanes::width() { return FERMIAC_FOR_ACTIVE_ISA(lane_width); }

bool Lanes::fit(const Tape& t) {
  const std::size_t slots = 2 * std::size_t{t.end_} - t.scalars_begin_;
  return t.weights_.empty() && t.placed_count() == 0 && t.parameters_ > 0 && slots * width() * sizeof(double) <= kMostBytes &&
         std::ranges::all_of(t.ops(), fits);
}

Lanes::Lanes(std::shared_ptr<const Tape> tape) : tape_(std::move(tape)) {
  FERMIAC_CHECK(fit(*tape_), "the tape has an op that does not run on lanes");
  const Tape& t = *tape_;
  const std::size_t w = width();
  const std::size_t values = t.end_ * w, adjoints = std::size_t{t.end_ - t.scalars_begin_} * w;
  numbers_.assign(values + adjoints + LaneSweep::kScratch * w, 0.0);
  double* const v = numbers_.data();
  adjoints_ = std::size_t{t.end_ - t.parameters_begin_} * w;
  for (std::size_t i = 0; i < t.constants_.size(); ++i) std::fill_n(v + i * w, w, t.constants_[i]);
  sweep_ = {.ops = t.ops().data(),
            .count = static_cast<std::uint32_t>(t.ops().size()),
            .v = v,
            .a = v + values - std::size_t{t.scalars_begin_} * w,
            .index = t.index_.data(),
            .maps = all_maps().data(),
            .scratch = v + values + adjoints,
            .apart = [](LaneSweep& s, const TapeOp& op, std::uint32_t vector, bool back) {
              static_cast<Lanes*>(s.owner)->apart(op, vector, back);
            },
            .owner = this};
  bind();
  if (std::ranges::any_of(t.ops(), is_apart)) make_workspaces();
}

Lanes::~Lanes() = default;

void Lanes::bind() {
  for (const TapeOp& op : tape_->ops())
    if (is_vector_op(op.kind)) bound_.push_back(bind(op));
  sweep_.bound = bound_.data();
  sweep_.bound_count = static_cast<std::uint32_t>(bound_.size());
}

LaneBound Lanes::bind(const TapeOp& op) {
  const auto at = [](double* numbers, std::uint32_t slot) { return numbers + std::size_t{slot} * width(); };
  LaneBound b{.map = &map_op(op.map), .forms = forms_of(op), .args = {.n = op.n, .vector_mask = op.vector_mask, .keep = op.keep}};
  for (int j = 0; j < b.map->arity; ++j) {
    b.args.x[j] = at(sweep_.v, op.x[j]);
    b.a[j] = op.ad_mask >> j & 1u ? at(sweep_.a, op.x[j]) : nullptr;
  }
  b.out = at(sweep_.v, op.d);
  b.out_a = at(sweep_.a, op.d);
  return b;
}

void Lanes::make_workspaces() {
  for (std::uint32_t l = 0; l < width(); ++l) workspaces_.push_back(std::make_unique<Workspace>(tape_));
}

void Lanes::set_points(std::span<const Point> points) {
  const std::size_t w = width(), n = tape_->parameters_;
  double* const to = sweep_.v + std::size_t{tape_->parameters_begin_} * w;
  for (std::size_t l = 0; l < w; ++l) {
    const std::span<const double> theta = points[l < points.size() ? l : 0].theta;  // lanes without a point repeat the first
    for (std::size_t i = 0; i < n; ++i) to[i * w + l] = theta[i];
  }
}

std::uint64_t Lanes::gradients(std::span<const Point> points) {
  const Tape& t = *tape_;
  const std::size_t w = width(), n = t.parameters_;
  FERMIAC_CHECK(!points.empty() && points.size() <= w, "one to width() points");
  for (const Point& p : points) FERMIAC_CHECK(p.theta.size() == n && p.gradient.size() == n, "one number per parameter");
  set_points(points);
  double* const adjoints = sweep_.a + std::size_t{t.parameters_begin_} * w;
  std::memset(adjoints, 0, adjoints_ * sizeof(double));
  std::fill_n(sweep_.lp, w, t.constant_);
  sweep_.used = (std::uint64_t{1} << points.size()) - 1;
  sweep_.failed = 0;
  FERMIAC_FOR_ACTIVE_ISA(lanes_forward)(sweep_);
  if (sweep_.goes_on()) FERMIAC_FOR_ACTIVE_ISA(lanes_reverse)(sweep_);
  const std::uint64_t good = sweep_.used & ~sweep_.failed;
  for (std::size_t l = 0; l < points.size(); ++l) {
    if ((good >> l & 1u) == 0) continue;
    *points[l].lp = sweep_.lp[l];
    for (std::size_t i = 0; i < n; ++i) points[l].gradient[i] = adjoints[i * w + l];
  }
  return good;
}

void Lanes::poison() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(sweep_.v + std::size_t{tape_->results_begin_} * width(), std::size_t{tape_->end_ - tape_->results_begin_} * width(), nan);
  std::fill_n(sweep_.a + std::size_t{tape_->scalars_begin_} * width(), std::size_t{tape_->end_ - tape_->scalars_begin_} * width(), nan);
  for (const auto& w : workspaces_) w->poison();
}

// ---- operations point by point: operands come from the lanes, results and adjoints go back there

/// visit(slot, count, autodiff) for the numbers that the op reads.
template <class Visit>
void Lanes::each_operand(const TapeOp& op, Visit visit) const {
  if (!is_call(op.kind)) {
    for (int j = 0; j < map_arity(op.map); ++j)
      visit(op.x[j], op.vector_mask >> j & 1u ? op.n : 1u, (op.ad_mask >> j & 1u) != 0);
    return;
  }
  const TapeCall& c = tape_->calls_[op.table()];
  for (std::uint32_t j = 0; j < c.count; ++j) {
    const TapeCallOperand& o = tape_->call_operands_[c.first + j];
    if (!o.ints) visit(o.place, static_cast<std::uint32_t>(o.shape.size()), o.autodiff);
  }
}

void Lanes::apart(const TapeOp& op, std::uint32_t vector, bool back) {
  for (std::uint32_t l = 0; l < width(); ++l) {
    if (((sweep_.used & ~sweep_.failed) >> l & 1u) == 0) continue;
    try {
      apart(*workspaces_[l], l, op, vector, back);
    } catch (const std::exception&) {  // what it is, the point's own evaluation says
      sweep_.failed |= std::uint64_t{1} << l;
    }
  }
}

namespace {

/// Op forward or back in a workspace. False: outside a domain.
bool run_vector(const TapeOp& op, BoundMap& b, bool back, double* target) {
  double sum = 0;
  switch (op.kind) {
    case OpKind::VectorSink:
      if (!b.map->fused(b.args, &sum)) return false;
      *target += sum;
      return true;
    case OpKind::VectorReduce:
      if (!back) return b.map->reduce(b.args, b.args.out);
      b.args.g = *b.args.out_a;
      b.map->fused(b.args, &sum);
      return true;
    default:
      if (!back) return b.map->map(b.args);
      b.map->map_reverse(b.args);
      return true;
  }
}

void run_call(const TapeOp& op, const Kernel& kernel, const KernelCall& call, bool back, double* result_adjoint, double* target) {
  if (op.kind == OpKind::Call) {
    if (!back) kernel.forward(call);
    else if (kernel.reverse != nullptr) kernel.reverse(call);
    return;
  }
  if (kernel.fused != nullptr) {
    *target += kernel.fused(call);
    return;
  }
  kernel.forward(call);
  *target += *call.out;
  *result_adjoint = 1;
  kernel.reverse(call);
}

}  // namespace

void Lanes::apart(Workspace& w, std::uint32_t lane, const TapeOp& op, std::uint32_t vector, bool back) {
  const std::size_t width = Lanes::width();
  const Tape& t = *tape_;
  double* const v = w.values_.data();
  double* const a = w.adjoints_.data() - t.scalars_begin_;
  const auto take = [&](const double* lanes, double* to, std::uint32_t slot, std::uint32_t n) {
    for (std::uint32_t i = slot; i < slot + n; ++i) to[i] = lanes[std::size_t{i} * width + lane];
  };
  const auto give = [&](double* lanes, const double* from, std::uint32_t slot, std::uint32_t n) {
    for (std::uint32_t i = slot; i < slot + n; ++i) lanes[std::size_t{i} * width + lane] = from[i];
  };
  const bool sinks = op.kind == OpKind::VectorSink || op.kind == OpKind::CallSink, adds = back || sinks;
  const std::uint32_t results = sinks ? 0 : is_call(op.kind) ? static_cast<std::uint32_t>(t.calls_[op.table()].out.size()) : op.n_results();
  each_operand(op, [&](std::uint32_t slot, std::uint32_t n, bool autodiff) {
    if (!back && slot >= t.parameters_begin_) take(sweep_.v, v, slot, n);  // else they are there
    if (adds && autodiff) take(sweep_.a, a, slot, n);
  });
  if (back) take(sweep_.a, a, op.d, results);
  if (is_call(op.kind)) run_call(op, *w.kernels_[op.table()], w.calls_[op.table()], back, a + op.d, &sweep_.lp[lane]);
  else if (!run_vector(op, w.maps_[vector], back, &sweep_.lp[lane])) sweep_.failed |= std::uint64_t{1} << lane;
  if (!back) give(sweep_.v, v, op.d, results);
  if (adds)
    each_operand(op, [&](std::uint32_t slot, std::uint32_t n, bool autodiff) {
      if (autodiff) give(sweep_.a, a, slot, n);
    });
}

}  // namespace fermiac::ad
