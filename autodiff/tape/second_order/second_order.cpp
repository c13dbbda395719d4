#include "autodiff/tape/second_order/second_order.h"

#include <algorithm>

#include "autodiff/tape/ir/hot_ops.h"
#include "support/base/check.h"

namespace fermiac::ad {
namespace {

bool is_vector(const TapeOp& op, int j) { return op.vector_mask >> j & 1u; }
bool carries(const TapeOp& op, int j) { return op.ad_mask >> j & 1u; }
bool has_map(OpKind kind) {
  return kind >= kFirstHot || kind == OpKind::Map || kind == OpKind::MapSink || kind == OpKind::WeighedSink || is_vector_op(kind);
}

}  // namespace

std::optional<std::string> SecondOrder::not_covered(const Tape& tape) {
  const auto lacks = [](const TapeOp& op) {
    return has_map(op.kind) && (!tangent_map(op.map) || (op.kind == OpKind::VectorReduce && map_op(op.map).product));
  };
  for (const auto* ops : {&tape.list_.ops, &tape.tiled_})
    for (const TapeOp& op : *ops)
      if (lacks(op)) return std::string(map_op(op.map).function());
  std::vector<KernelArg> args;
  for (const TapeCall& c : tape.calls_) {
    args.resize(std::max<std::size_t>(args.size(), c.count));
    const KernelCall call = bind_call(c, tape.call_operands_, tape.ints_, std::span(args).first(c.count), [](const auto&) { return Address{}; });
    if (c.kernel->reverse && !call_tangents(c.kernel, call.in)) return std::string(c.name);
  }
  return std::nullopt;
}

SecondOrder::SecondOrder(std::shared_ptr<const Tape> tape)
    : tape_(*tape), numbers_(std::move(tape)), v_(numbers_.values_.data()), a_(numbers_.adjoints_.data() - tape_.scalars_begin_),
      dv_(tape_.end_, 0.0), da_(tape_.end_, 0.0) {
  numbers_.sweeps_left_ = 0;        // machine code keeps adjoints to itself
  numbers_.uses_device_ = false;    // and a device what it computes
  for (std::size_t k = 0; k < tape_.calls_.size(); ++k) {
    const KernelCall& call = numbers_.calls_[k];
    calls_.push_back(call_tangents(tape_.calls_[k].kernel, call.in));
    auto& args = args_.emplace_back(call.in.begin(), call.in.end());
    auto& speeds = speeds_.emplace_back(args.size(), nullptr);
    for (std::size_t j = 0; j < args.size(); ++j) {
      if (!args[j].a) continue;
      const std::uint32_t place = tape_.call_operands_[tape_.calls_[k].first + j].place;
      args[j].a = da_.data() + place;
      speeds[j] = dv_.data() + place;
    }
  }
  std::uint32_t locals = 0;
  for (const TapeOp& op : tape_.list_.ops)
    if (op.kind == OpKind::Tiles) locals = std::max(locals, op.tiles().locals);
  for (LocalNumbers* numbers : {&local_v_, &local_dv_, &local_a_, &local_da_}) numbers->assign(locals, 0.0);
}

ReplayStatus SecondOrder::move_to(std::span<const double> theta, double* lp, std::span<double> gradient) {
  return numbers_.gradient(theta, lp, gradient);
}

void SecondOrder::times(std::span<const double> direction, std::span<double> product) {
  FERMIAC_CHECK(direction.size() == tape_.parameters_ && product.size() == tape_.parameters_, "one number per parameter");
  std::ranges::fill(dv_, 0.0);
  std::ranges::fill(da_, 0.0);
  std::ranges::copy(direction, dv_.begin() + tape_.parameters_begin_);
  const auto count = static_cast<std::uint32_t>(tape_.list_.ops.size());
  for (std::uint32_t i = 0; i < count; ++i) forward(i);
  for (std::uint32_t i = count; i-- > 0;) reverse(i);
  std::copy_n(da_.begin() + tape_.parameters_begin_, tape_.parameters_, product.begin());
}

// ---------------------------------------------------------------- maps

SecondOrder::Element SecondOrder::element(const TapeOp& op, std::uint32_t i) const {
  Element e;
  for (int j = 0; j < map_arity(op.map); ++j) {
    const std::uint32_t place = op.x[j] + (is_vector(op, j) ? i : 0);
    e.x[j] = v_[place];
    e.dx[j] = carries(op, j) ? dv_[place] : 0;
  }
  return e;
}

/// Of the map's value.
double SecondOrder::speed(const TapeOp& op, Element& e) const {
  const MapOp& map = map_op(op.map);
  if (std::all_of(e.dx, e.dx + map.arity, [](double x) { return x == 0; })) return 0;
  map.value_and_partials(e.x, op.keep, e.d);
  double sum = 0;
  for (int j = 0; j < map.arity; ++j)
    if (e.dx[j] != 0) sum += e.d[j] * e.dx[j];
  return sum;
}

void SecondOrder::add_adjoints(const TapeOp& op, std::uint32_t i, const Element& e) {
  for (int j = 0; j < map_arity(op.map); ++j)
    if (carries(op, j)) da_[op.x[j] + (is_vector(op, j) ? i : 0)] += e.d[j];
}

/// The partials of functions may be written by their values, which nothing kept where they were summed up.
SecondOrder::Moving SecondOrder::value_of(const TapeOp& op, Element& e) const {
  if (map_op(op.map).density) return {};
  return {map_op(op.map).value(e.x, op.keep), speed(op, e)};
}

void SecondOrder::partials(const TapeOp& op, Element& e, Moving value, Moving adjoint) const {
  tangent_map(op.map)->adjoints({.x = e.x, .dx = e.dx, .value = value.now, .dvalue = value.speed, .g = adjoint.now,
                                 .dg = adjoint.speed, .keep = op.keep}, e.d);
}

void SecondOrder::map_reverse(const TapeOp& op, std::uint32_t i, Moving adjoint) {
  if (adjoint.now == 0 && adjoint.speed == 0) return;
  Element e = element(op, i);
  const bool kept = op.kind >= kFirstHot || op.kind == OpKind::Map || op.kind == OpKind::Vector;
  partials(op, e, kept ? Moving{v_[op.d + i], dv_[op.d + i]} : value_of(op, e), adjoint);
  add_adjoints(op, i, e);
}

double SecondOrder::weight(const TapeOp& op) const {
  return tape_.is_weight(op.d) ? v_[op.d] : 1;
}

// ---------------------------------------------------------------- calls

MovingCall SecondOrder::moving_call(const TapeOp& op) {
  const std::size_t k = op.table();
  const TapeCall& c = tape_.calls_[k];
  MovingCall m{.kernel = c.kernel, .call = numbers_.calls_[k], .speeds = speeds_[k], .out_speed = dv_.data() + c.out_place,
               .out_a_speed = da_.data() + c.out_place};
  m.call.in = args_[k];
  return m;
}

/// Its adjoint is the weight. Nothing kept the value.
void SecondOrder::sink_reverse(const TapeOp& op, const CallTangents& tangents) {
  MovingCall m = moving_call(op);
  if (m.call.g == 0) return;
  double value = 0, speed = 0;
  static constexpr double kStill = 0;
  m.call.out = &value, m.call.out_a = &m.call.g;
  m.out_speed = &speed, m.out_a_speed = &kStill;
  m.kernel->forward(m.call);
  tangents.forward(m);
  tangents.reverse(m);
}

// ---------------------------------------------------------------- sweeps

void SecondOrder::forward(std::uint32_t i) {
  const TapeOp& op = tape_.list_.ops[i];
  if (op.kind == OpKind::Gather) {
    for (std::uint32_t k = 0; k < op.n; ++k) dv_[op.d + k] = dv_[tape_.index_[op.table() + k]];
  } else if (op.kind == OpKind::Call) {
    if (const CallTangents* const tangents = calls_[op.table()]) tangents->forward(moving_call(op));
  } else if (op.kind >= kFirstHot || op.kind == OpKind::Map || op.kind == OpKind::Vector || op.kind == OpKind::VectorReduce) {
    const bool sums = op.kind == OpKind::VectorReduce;
    for (std::uint32_t k = 0; k < op.n; ++k) {
      Element e = element(op, k);
      if (sums) dv_[op.d] += speed(op, e);
      else dv_[op.d + k] = speed(op, e);
    }
  }
}

void SecondOrder::reverse(std::uint32_t i) {
  const TapeOp& op = tape_.list_.ops[i];
  switch (op.kind) {
    case OpKind::Guard:
    case OpKind::Target:
    case OpKind::WeighedTarget:
    case OpKind::Run: return;  // adjoints that stand still
    case OpKind::Gather:
      for (std::uint32_t k = 0; k < op.n; ++k) da_[tape_.index_[op.table() + k]] += da_[op.d + k];
      return;
    case OpKind::Call:
    case OpKind::CallSink: {
      const CallTangents* const tangents = calls_[op.table()];
      if (!tangents) return;
      if (op.kind == OpKind::CallSink) return sink_reverse(op, *tangents);
      return tangents->reverse(moving_call(op));
    }
    case OpKind::Tiles: return tiles(op);
    case OpKind::MapSink:
    case OpKind::WeighedSink:
    case OpKind::VectorSink:
      for (std::uint32_t k = 0; k < op.n; ++k) map_reverse(op, k, {weight(op), 0});
      return;
    case OpKind::VectorReduce:
      for (std::uint32_t k = 0; k < op.n; ++k) map_reverse(op, k, {a_[op.d], da_[op.d]});
      return;
    default:
      for (std::uint32_t k = 0; k < op.n; ++k) map_reverse(op, k, {a_[op.d + k], da_[op.d + k]});
  }
}

// ---------------------------------------------------------------- tiles: element by element, all the way there and back

SecondOrder::Element SecondOrder::tiled_element(const TapeOp& tiled, std::uint32_t i) const {
  Element e;
  for (int j = 0; j < map_arity(tiled.map); ++j) {
    const bool local = is_local(tiled, j);
    const std::uint32_t place = local ? tiled.local_operand(j) : tiled.x[j] + (is_vector(tiled, j) ? i : 0);
    e.x[j] = local ? local_v_[place] : v_[place];
    if (carries(tiled, j)) e.dx[j] = local ? local_dv_[place] : dv_[place];
  }
  return e;
}

void SecondOrder::tiled_forward(const TapeOp& tiled, std::uint32_t i) {
  if (tiled.kind == OpKind::Target) {
    local_a_[tiled.local_operand(0)] += weight(tiled);
    return;
  }
  if (tiled.kind != OpKind::Vector) return;
  Element e = tiled_element(tiled, i);
  const std::uint32_t result = tiled.local_result();
  local_v_[result] = map_op(tiled.map).value(e.x, tiled.keep);
  local_dv_[result] = speed(tiled, e);
}

/// Adjoints themselves are computed too: nothing kept them.
void SecondOrder::tiled_reverse(const TapeOp& tiled, std::uint32_t i) {
  if (tiled.kind == OpKind::Target) return;
  const bool sink = tiled.kind == OpKind::VectorSink;
  const std::uint32_t result = sink ? 0 : tiled.local_result();
  const Moving adjoint = sink ? Moving{weight(tiled), 0} : Moving{local_a_[result], local_da_[result]};
  if (adjoint.now == 0 && adjoint.speed == 0) return;
  Element e = tiled_element(tiled, i);
  const MapOp& map = map_op(tiled.map);
  map.value_and_partials(e.x, tiled.keep, e.d);
  for (int j = 0; j < map.arity; ++j)
    if (is_local(tiled, j)) local_a_[tiled.local_operand(j)] += adjoint.now * e.d[j];
  partials(tiled, e, sink ? value_of(tiled, e) : Moving{local_v_[result], local_dv_[result]}, adjoint);
  for (int j = 0; j < map.arity; ++j) {
    if (!carries(tiled, j)) continue;
    if (is_local(tiled, j)) local_da_[tiled.local_operand(j)] += e.d[j];
    else da_[tiled.x[j] + (is_vector(tiled, j) ? i : 0)] += e.d[j];
  }
}

void SecondOrder::tiles(const TapeOp& op) {
  const TiledOps t = op.tiles();
  for (std::uint32_t i = 0; i < op.n; ++i) {
    std::ranges::fill(local_a_, 0.0);
    std::ranges::fill(local_da_, 0.0);
    for (std::uint32_t k = t.first; k < t.first + t.count; ++k) tiled_forward(tape_.tiled_[k], i);
    for (std::uint32_t k = t.first + t.count; k-- > t.first;) tiled_reverse(tape_.tiled_[k], i);
  }
}

}  // namespace fermiac::ad
