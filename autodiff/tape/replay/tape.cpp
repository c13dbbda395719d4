#include "autodiff/tape/replay/tape.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/opencl/matrix_run.h"
#include "autodiff/tape/opencl/part.h"
#include "autodiff/tape/replay/gathers.h"
#include "autodiff/tape/replay/replay.h"
#include "autodiff/tape/replay/scalar_code.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

/// As much replaying as making the machine code takes.
constexpr std::uint32_t kWarmSweeps = 64;

std::string_view kind_name(OpKind kind) {
  static constexpr std::string_view kNames[] = {"map",  "sink",      "vector", "reduce", "vector_sink", "gather",
                                                "call", "call_sink", "target", "guard",  "tiles",  "run",
                                                "sink", "target"};
  return kind >= kFirstHot ? kNames[0] : kNames[static_cast<int>(kind)];
}

}  // namespace

namespace {

/// What becomes of each. The room of the originals is free then.
template <class From, class LayOut>
auto each(std::vector<From>& from, LayOut lay_out) {
  std::vector<std::invoke_result_t<LayOut, From&>> out;
  out.reserve(from.size());
  for (From& x : from) out.push_back(lay_out(x));
  from = std::vector<From>();
  return out;
}

}  // namespace

/// What a device does, and the rest.
struct Tape::Placed {
  std::unique_ptr<const device::Part> part;
  OpList host;
  std::vector<std::uint32_t> ops;  // of the tape, by op of the host
  std::vector<bool> on_device;     // by op of the tape
};

/// What the host does where a device does the rest.
struct Workspace::OnDevice {
  explicit OnDevice(const device::Part& part) : run(part) {}
  device::Run run;
  std::unique_ptr<device::MatrixRun> matrices;  // null: there are none
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unused;  // results that only the device knows: place and size, in order
  std::vector<BoundMap> maps;
  std::vector<BoundTiles> tiles;
  Sweep sweep;
};

Tape::~Tape() = default;

Tape::Tape(Trace t, Jit jit, std::shared_ptr<device::DeviceUse> device, const std::vector<bool>* asked)
    : parameters_(t.parameters),
      sites_(std::move(t.sites)),
      tiled_sites_(std::move(t.tiled_sites)),
      ints_(std::move(t.ints)),
      constant_(t.constant),
      weights_(std::move(t.weights)),
      settable_weights_(t.settable_weights),
      reads_weights_(t.reads_weights),
      jit_(jit) {
  scalars_begin_ = padded(t.const_vectors.size()) + kPad;  // a vector loop may read past the last block
  weights_begin_ = scalars_begin_ + padded(t.const_scalars.size());
  parameters_begin_ = weights_begin_ + padded(weights_.size());
  results_begin_ = parameters_begin_ + parameters_;
  end_ = parameters_begin_ + padded(t.values.size()) + kPad;
  constants_.assign(parameters_begin_, 0.0);
  std::copy(t.const_vectors.begin(), t.const_vectors.end(), constants_.begin());
  std::copy(t.const_scalars.begin(), t.const_scalars.end(), constants_.begin() + scalars_begin_);
  std::ranges::transform(weights_, constants_.begin() + weights_begin_, &WeightRow::value);
  for (const Op& op : t.ops) note(op);
  for (const Op& op : t.tiled) has_guards_ |= is_select(op.map);
  for (const CallInfo& c : t.calls) scratch_ += padded(c.scratch_size);
  list_.ops = each(t.ops, [this](const Op& op) { return laid_out(op); });
  tiled_ = each(t.tiled, [this](const Op& op) { return laid_out_tiled(op); });
  index_ = each(t.index, [this](Ref r) { return arena_index(r); });
  for (TapeOp& op : list_.ops)
    if (op.kind == OpKind::Gather) plan_gather(op, index_, codes_);
  call_operands_ = each(t.call_operands, [this](const CallOperand& o) { return laid_out(o); });
  calls_ = each(t.calls, [this](CallInfo& c) { return laid_out(std::move(c)); });
  if (device) place(std::move(device), asked);
  if (!placed_) find_closing_ops();
}

/// (A sum of one number may be a part of machine code.)
void Tape::find_closing_ops() {
  const std::size_t n = list_.ops.size();
  if (n == 0 || list_.ops[n - 1].kind != OpKind::Target || outputs_ <= 1) return;
  const bool gathered = n > 1 && list_.ops[n - 2].kind == OpKind::Gather && list_.ops[n - 2].d == outputs_begin_ && list_.ops[n - 2].n == outputs_;
  closing_ops_ = gathered ? 2 : 1;
}

std::vector<std::uint32_t> Tape::output_places() const {
  std::vector<std::uint32_t> places(outputs_);
  std::iota(places.begin(), places.end(), outputs_begin_);
  if (closing_ops_ > 1) std::ranges::copy(gathered_outputs(), places.begin());
  return places;
}

device::TapeView Tape::view(const std::vector<bool>* asked) const {
  return {.ops = list_.ops, .tiled = tiled_, .index = index_, .ints = ints_, .calls = calls_, .call_operands = call_operands_, .constants = constants_,
          .sites = sites_, .tiled_sites = tiled_sites_, .asked = asked, .scalars_begin = scalars_begin_, .weights_begin = weights_begin_, .parameters_begin = parameters_begin_};
}

void Tape::place(std::shared_ptr<device::DeviceUse> device, const std::vector<bool>* asked) {
  auto placed = std::make_unique<Placed>();
  placed->part = device::Part::make(view(asked), std::move(device));
  if (!placed->part) return;
  placed->on_device.resize(list_.ops.size());
  for (const device::PlacedCall& p : placed->part->matrices()) placed->on_device[p.op] = true;
  const auto& matrices = placed->part->matrices();
  for (std::uint32_t i = 0; i < list_.ops.size(); ++i) {
    const auto formula = std::ranges::find_if(matrices, [i](const device::PlacedCall& p) { return p.formula && p.op == i; });
    if (placed->part->has(i)) placed->on_device[i] = true;
    if (placed->part->has(i) && formula == matrices.end()) continue;
    placed->host.ops.push_back(list_.ops[i]);
    if (formula != matrices.end()) placed->host.ops.back().kind = OpKind::Call, placed->host.ops.back().set_table(formula->call);
    placed->ops.push_back(i);
  }
  placed_ = std::move(placed);
}

void Tape::note(const Op& op) {
  has_guards_ |= op.kind == OpKind::Guard || is_select(op.map);
  vector_ops_ += is_vector_op(op.kind);
  if (op.kind == OpKind::Target) outputs_begin_ = arena_index(op.x[0]), outputs_ = op.n;
}

std::uint32_t Tape::arena_index(Ref r) const {
  if (!r.is_constant()) return parameters_begin_ + r.index();
  return r.is_const_vector() ? r.index() : scalars_begin_ + r.index();
}

TapeOp Tape::laid_out(const Op& op) const {
  auto out = std::bit_cast<TapeOp>(op);  // numbers of tables stay what they are
  const int n = place_operands(op);
  for (int j = 0; j < n; ++j) out.x[j] = arena_index(op.x[j]);
  const bool tabled = op.kind == OpKind::Gather || is_call(op.kind) || op.kind == OpKind::Tiles;
  for (int j = n; j < 4 && !tabled; ++j) out.x[j] = parameters_begin_;  // so that reading an unused operand is harmless
  const bool weighed = is_weighed(op.kind) && op.weight() != kOne;
  if (weighed && op.kind == OpKind::MapSink) out.kind = OpKind::WeighedSink;
  if (weighed && op.kind == OpKind::Target) out.kind = OpKind::WeighedTarget;
  // An op without a result gets a harmless one: the reverse sweep reads the adjoint before it looks at the kind.
  out.d = has_result(op.kind) || op.kind == OpKind::CallSink ? arena_index(op.d) : weighed ? place(op.weight()) : parameters_begin_;
  if (op.kind == OpKind::Map && is_hot(op.map)) out.kind = hot_kind(op.map);
  return out;
}

TapeOp Tape::laid_out_tiled(const Op& op) const {
  auto out = std::bit_cast<TapeOp>(op);  // numbers of local vectors too
  for (int j = 0; j < place_operands(op); ++j)
    if (!is_local(op, j)) out.x[j] = arena_index(op.x[j]);
  if (is_weighed(op.kind)) out.d = op.weight() != kOne ? place(op.weight()) : parameters_begin_;
  return out;
}

TapeCallOperand Tape::laid_out(const CallOperand& o) const {
  return {.shape = o.shape, .place = o.ints ? 0 : arena_index(o.place), .autodiff = o.autodiff, .ints = o.ints,
          .int_offset = o.int_offset};
}

TapeCall Tape::laid_out(CallInfo&& c) const {
  return {.kernel = c.kernel, .name = c.name, .first = c.first, .count = c.count, .out = c.out,
          .out_place = arena_index(c.out_place), .scratch_size = c.scratch_size, .propto = c.propto,
          .context = std::move(c.context), .weight = c.weight};
}

const ScalarCode* Tape::code(const OpList& list) const {
  std::call_once(list.made, [&] { list.code = make_scalar_code(list.ops, parameters_begin_, end_); });
  return list.code.get();
}

std::size_t Tape::bytes() const {
  return op_count() * (sizeof(TapeOp) + sizeof(Site)) + constants_.size() * sizeof(double) +
         codes_.size() * sizeof(double) + (index_.size() + ints_.size()) * 4 + calls_.size() * sizeof(TapeCall) +
         call_operands_.size() * sizeof(TapeCallOperand);
}

std::size_t Tape::workspace_bytes() const {
  return (static_cast<std::size_t>(end_) + (end_ - scalars_begin_) + scratch_) * sizeof(double) +
         calls_.size() * sizeof(KernelCall) + call_operands_.size() * sizeof(KernelArg) +
         vector_ops_ * sizeof(BoundMap) + tiled_.size() * sizeof(BoundTiled);
}

std::size_t Tape::placed_count() const { return placed_ ? static_cast<std::size_t>(std::ranges::count(placed_->on_device, true)) : 0; }

std::vector<bool> Tape::placed_sites() const {
  std::vector<bool> out;
  const auto add = [&](Site site) {
    if (index_of(site) >= out.size()) out.resize(index_of(site) + 1);
    out[index_of(site)] = true;
  };
  for (std::uint32_t i = 0; placed_ && i < ops().size(); ++i) {
    if (!placed_->on_device[i]) continue;
    add(sites_[i]);
    const TiledOps tiles = ops()[i].kind == OpKind::Tiles ? ops()[i].tiles() : TiledOps();
    for (std::uint32_t k = 0; k < tiles.count; ++k) add(tiled_sites_[tiles.first + k]);
  }
  return out;
}

std::string Tape::name(std::uint32_t s) const {
  if (s < scalars_begin_) return fmt::format("c{}", s);
  if (is_weight(s)) return fmt::format("w{}", s - weights_begin_ + 1);
  if (s < parameters_begin_) return fmt::format("{}", constants_[s]);
  if (s < results_begin_) return fmt::format("p{}", s - parameters_begin_);
  return fmt::format("t{}", s - results_begin_);
}

/// How much a term of target counts.
std::string Tape::weight(const TapeOp& op) const {
  const bool weighed = is_weighed(op.kind) || op.kind == OpKind::WeighedSink || op.kind == OpKind::WeighedTarget;
  const Weight called = op.kind == OpKind::CallSink ? calls_[op.table()].weight : kOne;
  if (called == kOne && !(weighed && is_weight(op.d))) return {};
  const std::uint32_t at = called != kOne ? place(called) : op.d;
  return fmt::format(" * {} ({})", name(at), constants_[at]);
}

/// What follows the kind.
std::string Tape::line(const TapeOp& op) const {
  std::string text;
  const auto operand = [&](int j) {
    return op.kind != OpKind::Guard && is_local(op, j) ? fmt::format("l{}", op.local_operand(j)) : name(op.x[j]);
  };
  const bool local = op.kind == OpKind::Vector && op.local.has_result();
  if (has_result(op.kind) || op.kind >= kFirstHot)
    text += fmt::format(" {} =", local ? fmt::format("l{}", op.local_result()) : name(op.d));
  if (is_call(op.kind)) {
    const TapeCall& c = calls_[op.table()];
    text += fmt::format(" {} ->{}", c.name, c.out.str());
    for (std::uint32_t j = 0; j < c.count; ++j) {
      const TapeCallOperand& o = call_operands_[c.first + j];
      text += fmt::format(" {}:{}", o.ints ? std::string("ints") : name(o.place), o.shape.str());
    }
  } else if (op.kind == OpKind::Tiles) {
    text += fmt::format(" of {}", op.tiles().size);
  } else {
    if (op.map != kNoMap) text += fmt::format(" {}", map_op(op.map).name);
    for (int j = 0; j < place_operands(op); ++j) text += fmt::format(" {}{}", operand(j), op.vector_mask >> j & 1 ? "[]" : "");
  }
  return text + weight(op) + (op.n != 1 ? fmt::format("  n={}\n", op.n) : "\n");
}

std::string Tape::dump() const {
  std::string text;
  for (std::size_t i = 0; i < ops().size(); ++i) {
    const TapeOp& op = ops()[i];
    const bool on_device = placed_ && placed_->on_device[i];
    text += fmt::format("{:>6}{}site {:<4} {:<12}{}", i, on_device ? " device " : " ", index_of(sites_[i]), kind_name(op.kind), line(op));
    if (op.kind != OpKind::Tiles) continue;
    const TiledOps tiles = op.tiles();
    for (std::uint32_t k = tiles.first; k < tiles.first + tiles.count; ++k)
      text += fmt::format("{:>6} site {:<4} {:<12}{}", "", index_of(tiled_sites_[k]), kind_name(tiled_[k].kind), line(tiled_[k]));
  }
  return text;
}

namespace {

std::shared_ptr<const Tape> with_room(std::shared_ptr<const Tape> tape) {
  memory_point(tape->workspace_bytes());
  return tape;
}

}  // namespace

Workspace::Workspace(std::shared_ptr<const Tape> tape)
    : tape_(with_room(std::move(tape))), values_(tape_->end_, 0.0), adjoints_(tape_->end_ - tape_->scalars_begin_, 0.0), scratch_(tape_->scratch_ + kPad, 0.0) {
  const Tape& t = *tape_;
  std::copy(t.constants_.begin(), t.constants_.end(), values_.begin());
  bind_calls();
  bind_maps();
  sweep_ = {.ops = t.ops().data(),
            .count = static_cast<std::uint32_t>(t.ops().size()),
            .v = values_.data(),
            .a = adjoints_.data() - t.scalars_begin_,
            .index = t.index_.data(),
            .codes = t.codes_.data(),
            .calls = calls_.data(),
            .kernels = kernels_.data(),
            .maps = all_maps().data(),
            .tiles = tiles_.data(),
            .bound = maps_.data(),
            .bound_count = static_cast<std::uint32_t>(maps_.size()),
            .failure = &failure_};
  sweeps_left_ = t.jit_ == Jit::Never ? 0 : t.jit_ == Jit::Always ? 1 : kWarmSweeps;
  if (t.placed_) bind_placed();
  use_weights();
}

/// Copies of what the sweep over all ops is bound to, less what the device does.
void Workspace::bind_placed() {
  const Tape& t = *tape_;
  on_device_ = std::make_unique<OnDevice>(*t.placed_->part);
  OnDevice& d = *on_device_;
  d.maps.reserve(maps_.size());  // weights are written into them
  std::size_t map = 0, tiles = 0;
  for (std::uint32_t i = 0; i < t.ops().size(); ++i) {
    const TapeOp& op = t.ops()[i];
    const bool stays = !t.placed_->part->has(i);
    if (is_vector_op(op.kind) && stays) d.maps.push_back(maps_[map]);
    if (op.kind == OpKind::VectorSink && stays) weigh(&d.maps.back().args.g, op.d);
    if (op.kind == OpKind::Tiles && stays) d.tiles.push_back(tiles_[tiles]);
    map += is_vector_op(op.kind);
    tiles += op.kind == OpKind::Tiles;
    if (!stays && has_result(op.kind)) d.unused.push_back({op.d, op.kind == OpKind::Call ? t.calls_[op.table()].out.size() : op.n});
  }
  d.sweep = sweep_;
  d.sweep.ops = t.placed_->host.ops.data();
  d.sweep.count = static_cast<std::uint32_t>(t.placed_->host.ops.size());
  d.sweep.bound = d.maps.data();
  d.sweep.bound_count = static_cast<std::uint32_t>(d.maps.size());
  d.sweep.tiles = d.tiles.data();
  if (!t.placed_->part->matrices().empty()) bind_matrices();
  std::ranges::sort(d.unused);
  uses_device_ = true;
}

/// Calls that the device does take the place of the host's.
void Workspace::bind_matrices() {
  const Tape& t = *tape_;
  OnDevice& d = *on_device_;
  const std::vector<device::PlacedCall>& placed = t.placed_->part->matrices();
  d.matrices = std::make_unique<device::MatrixRun>(t.placed_->part->use(), placed, calls_, kernels_, values_.data(), adjoints_.data() - t.scalars_begin_);
  d.sweep.calls = d.matrices->calls();
  d.sweep.kernels = d.matrices->kernels();
  for (std::uint32_t i = 0; i < t.calls_.size(); ++i)
    if (t.calls_[i].weight != kOne) weighed_.push_back({d.matrices->weight_of(i), t.place(t.calls_[i].weight)});
  for (const device::PlacedCall& p : placed) {
    const bool in_place = !p.formula && t.ops()[p.op].kind == OpKind::Call;
    if (in_place && !p.host_reads) d.unused.push_back({t.calls_[p.call].out_place, t.calls_[p.call].out.size()});
    if (p.formula && p.host_reads) std::erase_if(d.unused, [&](const auto& u) { return u.first == t.ops()[p.op].d; });
  }
}

void Workspace::bind_calls() {
  const Tape& t = *tape_;
  double* v = values_.data();
  double* a = adjoints_.data() - t.scalars_begin_;
  const auto at = [&](const TapeCallOperand& o) { return Address{v + o.place, o.autodiff ? a + o.place : nullptr}; };
  call_args_.resize(t.call_operands_.size());
  calls_.reserve(t.calls_.size());
  double* scratch = scratch_.data();
  for (const TapeCall& c : t.calls_) {
    KernelCall& call = calls_.emplace_back(
        bind_call(c, t.call_operands_, t.ints_, std::span(call_args_).subspan(c.first, c.count), at));
    call.out = v + c.out_place;
    call.out_a = a + c.out_place;
    call.scratch = scratch;
    if (c.weight != kOne) weighed_.push_back({&call.g, t.place(c.weight)});
    scratch += padded(c.scratch_size);
  }
  kernels_.reserve(t.calls_.size());
  for (const TapeCall& c : t.calls_) kernels_.push_back(c.kernel);
}

void Workspace::bind_maps() {
  maps_.reserve(tape_->vector_ops_);
  for (const TapeOp& op : tape_->ops()) {
    if (is_vector_op(op.kind)) maps_.push_back({&map_op(op.map), bind(op)});
    if (op.kind == OpKind::VectorSink) weigh(&maps_.back().args.g, op.d);
    if (op.kind == OpKind::Tiles) bind_tiles(op);
  }
}

/// `place`: of the weight, or of something else where that is one.
void Workspace::weigh(double* g, std::uint32_t place) {
  if (tape_->is_weight(place)) weighed_.push_back({g, place});
}

void Workspace::use_weights() {
  constant_ = tape_->constant_;
  for (std::uint32_t i = 0; i < tape_->weights_.size(); ++i)
    constant_ += values_[tape_->weights_begin_ + i] * tape_->weights_[i].constant;
  for (const Weighed& w : weighed_) *w.g = values_[w.place];
}

void Workspace::set_weights(std::span<const double> values) {
  FERMIAC_CHECK(values.size() == tape_->settable_weights_, "one number per weight");
  FERMIAC_CHECK(!tape_->reads_weights_, "no number depends on what the weights were");
  for (const double value : values) FERMIAC_CHECK(value >= 0 && std::isfinite(value), "a weight is finite and not negative");
  std::ranges::copy(values, values_.begin() + tape_->weights_begin_);
  use_weights();
}

namespace {

/// What its elements add to lies partly where those of another operand add to.
bool overlap(const std::vector<const double*>& adjoints, std::uint32_t n) {
  for (const double* a : adjoints)
    for (const double* b : adjoints)
      if (a < b && b < a + n) return true;
  return false;
}

}  // namespace

void Workspace::bind_tiles(const TapeOp& op) {
  const TiledOps tiles = op.tiles();
  BoundTiles t{.count = tiles.count, .n = op.n, .locals = tiles.locals, .size = tiles.size};
  t.pieces = Pieces(t.n, BoundTiles::kShortestPiece, BoundTiles::kMostPieces);
  t.stride = padded(2 * std::size_t{t.locals} * t.size + t.count * kMaxMapArity + 1) + kPad;
  TilesStorage& storage = tiles_storage_.emplace_back();
  storage.buffers.assign(t.stride * t.pieces.count, 0.0);
  storage.failed.assign(t.pieces.count, 0);
  std::vector<const double*> adjoints;
  for (std::uint32_t k = tiles.first; k < tiles.first + tiles.count; ++k) {
    const TapeOp& tiled = tape_->tiled_[k];
    const MapArgs args = bind(tiled);
    storage.ops.push_back({&tiled, tiled.map == kNoMap ? nullptr : &map_op(tiled.map), args});
    for (int j = 0; j < place_operands(tiled); ++j)
      if (!is_local(tiled, j) && (tiled.vector_mask >> j & 1u) && args.a[j] != nullptr) adjoints.push_back(args.a[j]);
  }
  for (BoundTiled& b : storage.ops)
    if (is_weighed(b.op->kind)) weigh(&b.args.g, b.op->d);
  t.entangled = overlap(adjoints, t.n);
  t.ops = storage.ops.data();
  t.buffers = storage.buffers.data();
  t.failed = storage.failed.data();
  tiles_.push_back(t);
}

Workspace::~Workspace() = default;

void Workspace::poison() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(values_.begin() + tape_->results_begin_, values_.end(), nan);
  std::fill(adjoints_.begin(), adjoints_.end(), nan);
  std::fill(scratch_.begin(), scratch_.end(), nan);
  for (TilesStorage& t : tiles_storage_) std::fill(t.buffers.begin(), t.buffers.end(), nan);
}

namespace {

void put(std::span<const double> theta, std::span<double> operands) {
  FERMIAC_CHECK(theta.size() == operands.size(), "one value per parameter");
  std::ranges::copy(theta, operands.begin());
}

/// Copies and returns whether all numbers are finite: x - x is zero for finite x and NaN otherwise. Two independent sums of pairs,
/// because the compiler does not vectorize this loop by itself.
bool copy_finite(std::span<const double> from, double* to) {
  using Pair [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;
  Pair even{}, odd{};
  std::size_t i = 0;
  for (; i + 4 <= from.size(); i += 4) {
    const Pair low = reinterpret_cast<const Pair&>(from[i]), high = reinterpret_cast<const Pair&>(from[i + 2]);
    reinterpret_cast<Pair&>(to[i]) = low;
    reinterpret_cast<Pair&>(to[i + 2]) = high;
    even += low - low;
    odd += high - high;
  }
  for (; i < from.size(); ++i) even[0] += (to[i] = from[i]) - from[i];
  even += odd;
  return even[0] + even[1] == 0;
}

}  // namespace

ReplayStatus Workspace::value(std::span<const double> theta, double* lp) {
  ReplayStatus status = sweep(theta, lp, false);
  if (status.kind == ReplayStatus::Kind::Ok) status.finite = std::isfinite(*lp);
  return status;
}

ReplayStatus Workspace::gradient(std::span<const double> theta, double* lp, std::span<double> grad) {
  FERMIAC_CHECK(grad.size() == tape_->parameters_, "one gradient entry per parameter");
  ReplayStatus status = sweep(theta, lp, true);
  if (status.kind != ReplayStatus::Kind::Ok) return status;
  const double* const adjoints = adjoints_.data() + (tape_->parameters_begin_ - tape_->scalars_begin_);
  status.finite = copy_finite({adjoints, tape_->parameters_}, grad.data()) && std::isfinite(*lp);
  return status;
}

void Workspace::clear_adjoints() {
  clear_adjoints(tape_->parameters_begin_ - tape_->scalars_begin_, adjoints_.size());
}
void Workspace::clear_adjoints(std::size_t first, std::size_t end) {
  std::memset(adjoints_.data() + first, 0, (end - first) * sizeof(double));
}
/// Less those that the device has.
void Workspace::clear_placed_adjoints() {
  std::size_t first = tape_->parameters_begin_ - tape_->scalars_begin_;
  for (const auto& [place, n] : on_device_->unused) {
    clear_adjoints(first, place - tape_->scalars_begin_);
    first = place - tape_->scalars_begin_ + n;
  }
  clear_adjoints(first, adjoints_.size());
}

ReplayStatus Workspace::outputs(std::span<const double> theta, std::span<double> results) {
  FERMIAC_CHECK(results.size() == tape_->outputs_, "room for every result");
  put(theta, operands());
  ReplayStatus status = outputs_in_place();
  if (status.kind != ReplayStatus::Kind::Ok) return status;
  if (tape_->closing_ops_ > 1) std::ranges::transform(tape_->gathered_outputs(), results.begin(), [this](std::uint32_t place) { return values_[place]; });
  else std::copy_n(values_.begin() + tape_->outputs_begin_, tape_->outputs_, results.begin());
  return status;
}

ReplayStatus Workspace::outputs_in_place() {
  double sum = 0;
  sweep_.count -= tape_->closing_ops_;
  ReplayStatus status = sweep_operands(&sum, false);
  sweep_.count += tape_->closing_ops_;
  return status;
}

bool Workspace::try_outputs_in_place() {
  if (uses_device_) return false;
  count_sweep(sweep_, tape_->list_);
  sweep_.with_gradient = false;
  const std::uint32_t all = sweep_.count, wanted = all - tape_->closing_ops_;
  if (sweep_.runs && sweep_.ops[0].kind == OpKind::Run && sweep_.ops[0].n == wanted) return sweep_.runs[0].forward(&sweep_) == wanted;
  sweep_.count = wanted;
  active_sweeps().forward(sweep_);
  sweep_.count = all;
  return sweep_.stopped == wanted;
}

void Workspace::pull_back(std::span<const double> seed, std::span<double> grad) {
  const Tape& t = *tape_;
  clear_adjoints();
  if (t.outputs_begin_ >= t.parameters_begin_)  // else all results are constants
    std::copy(seed.begin(), seed.end(), adjoints_.begin() + (t.outputs_begin_ - t.scalars_begin_));
  reverse(sweep_);
  std::copy_n(adjoints_.begin() + (t.parameters_begin_ - t.scalars_begin_), t.parameters_, grad.begin());
}

/// Until it is known that a tape is replayed often.
void Workspace::count_sweep(Sweep& sweep, const Tape::OpList& list) {
  if (sweeps_left_ == 0 || --sweeps_left_ > 0) return;
  const ScalarCode* const code = tape_->code(list);
  if (!code) return;
  sweep.ops = code->ops.data();
  sweep.runs = code->runs.data();
}

ReplayStatus Workspace::guard_failed() const {
  return {ReplayStatus::Kind::GuardFailed, sweep_.stopped, {}};
}

/// False where it stopped.
bool Workspace::forward(Sweep& sweep, bool with_gradient) {
  if (with_gradient && &sweep == &sweep_) clear_adjoints();
  sweep.with_gradient = with_gradient;
  sweep.guard = false;
  sweep.lp = constant_;
  active_sweeps().forward(sweep);
  return sweep.stopped == sweep.count;
}

void Workspace::reverse(const Sweep& sweep) {
  active_sweeps().reverse(sweep);
  throw_failure();
}

/// What machine code had to leave behind.
void Workspace::throw_failure() {
  if (failure_) [[unlikely]] std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// False: the host is to do all of it. That includes what breaks a rule, for the message.
bool Workspace::sweep_placed(double* lp, bool with_gradient, ReplayStatus* status) {
  OnDevice& d = *on_device_;
  count_sweep(d.sweep, tape_->placed_->host);
  try {
    if (with_gradient) clear_placed_adjoints();
    if (d.matrices) d.matrices->begin(with_gradient);
    if (!forward(d.sweep, with_gradient)) {
      failure_ = nullptr;
      *status = {ReplayStatus::Kind::GuardFailed, tape_->placed_->ops[d.sweep.stopped], {}};
      return d.sweep.guard;
    }
    const auto outcome = d.run.evaluate(values_.data(), with_gradient ? adjoints_.data() - tape_->scalars_begin_ : nullptr, &d.sweep.lp);
    if (outcome == device::Run::Outcome::Lost) {
      uses_device_ = false;
      sweeps_left_ = tape_->jit_ == Jit::Never ? 0 : 1;
    }
    if (outcome != device::Run::Outcome::Done) return false;
    if (d.matrices && !std::isfinite(d.sweep.lp)) return false;  // what breaks a rule there becomes NaN
    if (with_gradient) reverse(d.sweep);
  } catch (const EvalError&) {
    return false;
  } catch (const FatalError&) {
    return false;
  } catch (const device::AskHost&) {
    return false;
  } catch (const device::DeviceFailure& e) {
    tape_->placed_->part->use().lose(e.what());
    uses_device_ = false;
    return false;
  }
  *status = {};
  *lp = d.sweep.lp;
  return true;
}

ReplayStatus Workspace::sweep(std::span<const double> theta, double* lp, bool with_gradient) {
  put(theta, operands());
  return sweep_operands(lp, with_gradient);
}

ReplayStatus Workspace::sweep_operands(double* lp, bool with_gradient) {
  const Tape& t = *tape_;
  ReplayStatus placed;
  if (uses_device_ && sweep_placed(lp, with_gradient, &placed)) return placed;
  if (!uses_device_) count_sweep(sweep_, t.list_);
  try {
    if (!forward(sweep_, with_gradient)) {
      if (sweep_.guard) return guard_failed();
      explain();
    }
    if (with_gradient) reverse(sweep_);
  } catch (const EvalError& e) {
    // Rewriting may have moved the failing op in front of a guard that would have stopped first: record anew to see.
    if (t.has_guards_) return guard_failed();
    return {ReplayStatus::Kind::DomainError, sweep_.stopped, e.what()};
  } catch (const FatalError& e) {
    return {ReplayStatus::Kind::FatalError, sweep_.stopped, e.what()};
  }
  *lp = sweep_.lp;
  return {};
}

/// What is local of a tiled op is left out.
MapArgs Workspace::bind(const TapeOp& op) {
  const Tape& t = *tape_;
  double* a = adjoints_.data() - t.scalars_begin_;
  MapArgs m = bind_map(op, [&](int j) {
    if (is_local(op, j)) return Address{};
    return Address{values_.data() + op.x[j], op.ad_mask >> j & 1u ? a + op.x[j] : nullptr};
  });
  if (!op.local.has_result()) {
    m.out = values_.data() + op.d;
    m.out_a = a + op.d;
  }
  return m;
}

void Workspace::explain() {
  throw_failure();
  const TapeOp& op = tape_->ops()[sweep_.stopped];
  if (op.kind != OpKind::Tiles) fail_domain(map_op(op.map), bind(op));
  const std::span all(tape_->ops());
  const auto before = std::ranges::count(all.first(sweep_.stopped), OpKind::Tiles, &TapeOp::kind);
  sweep_.stopped = static_cast<std::uint32_t>(tape_->ops().size()) + op.tiles().first + sweep_.stopped_in_tile;
  explain_tiled(tiles_[static_cast<std::size_t>(before)], sweep_.stopped_in_tile);
}

/// Computes whole vectors, for the message names the element.
void Workspace::explain_tiled(const BoundTiles& tiles, std::uint32_t tiled) const {
  std::vector<std::vector<double>> locals(tiles.locals, std::vector<double>(padded(tiles.n) + kPad));
  const auto whole = [&](const BoundTiled& b) {
    MapArgs m = b.args;
    for (int j = 0; j < place_operands(*b.op); ++j)
      if (is_local(*b.op, j)) m.x[j] = locals[b.op->local_operand(j)].data();
    if (b.op->local.has_result()) m.out = locals[b.op->local_result()].data();
    return m;
  };
  for (std::uint32_t k = 0; k < tiled; ++k)
    if (tiles.ops[k].op->kind == OpKind::Vector) tiles.ops[k].map->map(whole(tiles.ops[k]));
  fail_domain(*tiles.ops[tiled].map, whole(tiles.ops[tiled]));
}

}  // namespace fermiac::ad
